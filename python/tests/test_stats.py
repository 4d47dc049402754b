"""Statistics: the published values that the Rust tests have too."""

import math

import pytest

from saavedra import stats


@pytest.mark.parametrize(
    "counts, elo, nelo, los, score",
    [
        # As fastchess prints them: see crates/arena/src/statistics/performance.rs.
        ((76, 123, 89), "-15.69 +/- 30.46", "-20.76 +/- 40.13", "15.53", "0.477431"),
        ((136, 111, 96), "40.70 +/- 30.43", "49.77 +/- 36.77", "99.60", "0.558309"),
        ((36433, 68692, 36027), "1.00 +/- 1.30", "1.39 +/- 1.81", "93.43", "0.501438"),
    ],
)
def test_elo_is_what_fastchess_prints(counts, elo, nelo, los, score):
    found = stats.elo(*counts)
    assert (str(found), str(found.nelo)) == (elo, nelo)
    assert (f"{100 * found.los:.2f}", f"{found.score:.6f}") == (los, score)
    assert stats.elo(counts) == found


def test_pairs_make_the_error_smaller():
    assert str(stats.elo([40, 310, 790, 390, 62])) == "13.54 +/- 7.10"


@pytest.mark.parametrize(
    "counts, model, elo0, elo1, llr",
    [
        # From fastchess's tests: see crates/arena/src/statistics/sprt.rs.
        ([36433, 68692, 36027], "normalised", 0.0, 2.0, 0.92329345094953),
        ([10, 7, 3], "logistic", 0.0, 10.0, 0.2984445634263),
        ([40, 310, 790, 390, 62], "normalised", 0.0, 5.0, 2.6960567406228),
        ([223, 9863, 21279, 10037, 246], "logistic", 0.5, 2.5, -3.0741264395892),
    ],
)
def test_published_likelihood_ratios_are_met(counts, model, elo0, elo1, llr):
    test = stats.sprt(counts, elo0, elo1, model=model)
    assert test.llr == pytest.approx(llr, abs=1e-8)
    assert test.decision == (None if abs(llr) < test.upper else "H0")
    assert test.upper == -test.lower == pytest.approx(math.log(19))


def test_ratings_hold_the_anchor_and_tell_what_they_mean():
    games = [
        ("a", "b", "1-0"),
        ("b", "a", "1/2-1/2"),
        ("a", "c", 1),
        ("c", "a", 0.5),
        ("d", "a", "0-1"),
        ("b", "c", "*"),
    ]
    rated = {rating.name: rating for rating in stats.ratings(games, anchors={"a": 2000})}
    assert rated["a"].rating == 2000 and rated["a"].games == 5 and rated["a"].points == 4
    # Three quarters of the points against one opponent are 191 Elo.
    assert rated["b"].rating == pytest.approx(2000 - 400 * math.log10(3), abs=1e-6)
    assert rated["b"].rating == pytest.approx(rated["c"].rating)
    assert (rated["d"].kind, rated["d"].error) == ("at most", None)
    assert list(rated)[0] == "a"


def test_a_performance_is_a_rating_against_known_ones():
    assert stats.performance([(2000, 1), (2000, 0)]).rating == pytest.approx(2000)
    assert stats.performance([(1800, 1), (1800, 1), (1800, 1), (1800, 0)]).rating == pytest.approx(
        1800 + 400 * math.log10(3), abs=1e-6
    )
    assert stats.performance([(1500, 1)]).kind == "at least"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: stats.elo(0, 0, 0), "no games"),
        (lambda: stats.elo([1, 2]), "not 2 numbers"),
        (lambda: stats.elo(1 << 60, 0, 0), "too many"),
        (lambda: stats.sprt([1, 2, 3], 5, 0), "must be less than the second"),
        (lambda: stats.sprt([1, 2, 3], 0, 5, model="bayesian"), "there is no scale"),
        (lambda: stats.sprt([1, 2, 3], 0, float("nan")), "within 400 Elo"),
        (lambda: stats.ratings([("a", "a", "1-0")]), "against itself"),
        (lambda: stats.ratings([("a", "b", "2-0")]), "is not a result"),
        (lambda: stats.ratings([("a", "b", "1-0")], white=None), "cannot be estimated"),
        (lambda: stats.performance([]), "no games"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_scores_and_differences_undo_each_other():
    assert stats.expected_score(400) == pytest.approx(10 / 11)
    assert stats.elo_of_score(stats.expected_score(123)) == pytest.approx(123)
