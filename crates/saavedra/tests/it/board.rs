//! `saavedra board`, as a user meets it.

use serde_json::Value;

use crate::common::{complaint, printed};

/// A game with a capture, en passant, both ways to castle and a promotion that takes.
const GAME: &str =
    "1. e4 d5 2. exd5 c5 3. dxc6 Nf6 4. cxb7 Bd7 5. bxa8=N Bc6 6. Nf3 Bxa8 7. Bc4 e6 8. O-O Nc6 9. d4 Ke7";

fn has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|found| found.trim_end() == *line), "{line:?} is missing in\n{text}");
    }
}

#[test]
fn the_start_position_is_drawn_as_each_author_drew_it() {
    let text = printed(&["board"]);
    has(
        &text,
        &[
            "mailbox: 120 cells with a rim, and piece lists, 287 bytes",
            "     90   .   10    8    9   11   12    9    8   10    .",
            "     20   .    4    2    3    5    6    3    2    4    .",
            "     wP 10  31   32   33   34   35   36   37   38    .    .  count 8",
            "packed: sixty-four cells of four bits, 36 bytes",
            "     0  1001   0101   0111   1011   1101   0111   0101   1001",
            "    48  0010   0010   0010   0010   0010   0010   0010   0010",
            "    word 3  8  4  6  c  a  6  4  8  2  2  2  2  2  2  2  2",
            "movemap: eight by eight integers and sets of steps, 131 bytes",
            "    7  41   21   31   51   61   31   21   41",
            "             knight, once    (2,1)    (2,-1)    (-2,1)   (-2,-1)     (1,2)    (1,-2)    (-1,2)   (-1,-2)",
            "    kingLocations[1]     60  Black's king on e8",
            "bitboard: sets of squares in machine words, 128 bytes",
        ],
    );
    assert_eq!(text.matches("check: all that is kept twice agrees").count(), 4);
    assert!(!text.contains("[ ]") && !text.contains("move 1"), "nothing was played:\n{text}");
}

#[test]
fn a_capture_shows_the_swap_in_the_list_and_the_cells_it_changed() {
    let text = printed(&["board", "startpos", "e4", "d7d5", "exd5", "--as", "mailbox"]);
    has(
        &text,
        &[
            "move 3: e4d5",
            "  move = 122935 = 0x1e037",
            "    .... .... ..01 11.. .... .... ....  captured         7  black pawn           >> 14 & 0xf",
            "    list[73], a black pawn, 64 d5, changes places with the last, list[77], 88 h7: count[7] goes from 8 to 7",
            "    en passant                   45 *               74  d6",
            "     60   .    0    0    0  [ 1]   0    0    0    0    .",
            "     50   .    0    0    0    0  [ 0]   0    0    0    .",
            "     bP 70  81   82   83  [88]  85   86   87  (64)   .    .  count 7, was 8",
            "    material black     3890  the sum of Black's pieces  (was 3990)",
        ],
    );
}

#[test]
fn a_game_with_every_kind_of_move_is_told_in_the_words_of_the_documents() {
    let text = printed(&["board", "startpos", GAME, "--as", "packed,movemap"]);
    has(
        &text,
        &[
            "    .... .... .... 0101 ....  move type        5  en passant (white)   >> 4 & 0xf",
            "    .... .... .... 1100 ....  move type       12  promotion capture (knight) >> 4 & 0xf",
            "    .... .... .... 0001 ....  move type        1  castle (king side)   >> 4 & 0xf",
            "    wc              0 *  1  White has castled",
            "    bcm             0 *  1  Black's king has moved",
            "    [3] captured        34  c5",
            "    [6] promotionType    2  knight",
            "    [4] rookEnd          5  f1",
        ],
    );
    assert!(text.contains("memory of b2q1b1r/p3kppp/2n1pn2/8/2BP4/5N2/PPP2PPP/RNBQ1RK1 w - - 1 10"), "{text}");
}

#[test]
fn a_flipped_bit_is_found_by_the_board_that_keeps_everything_twice_and_missed_by_the_one_that_does_not() {
    let found = printed(&["board", "startpos", "--as", "mailbox", "--corrupt", "e2", "--seed", "1"]);
    assert!(found.contains("of cells[35]: 00000001 becomes") && found.contains("the check says:"), "{found}");
    assert!(found.contains("white pawn"), "{found}");
    let missed = (0..20)
        .map(|seed| printed(&["board", "startpos", "--as", "packed", "--corrupt", "e2", "--seed", &seed.to_string()]));
    assert!(missed.into_iter().any(|text| text.contains("just another position")));
    let list = printed(&["board", "startpos", "--as", "mailbox", "--corrupt", "list[12]"]);
    assert!(list.contains("of list[12]: ") && list.contains("the list has white pawn number 2 on cell"), "{list}");
}

#[test]
fn the_same_can_be_had_as_json() {
    let text = printed(&["board", "startpos", "e2e4", "--json", "--corrupt", "any", "--seed", "3"]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let boards = json["boards"].as_array().expect("boards");
    assert_eq!(boards.len(), 4);
    for board in boards {
        let step = &board["steps"][0];
        assert_eq!((&step["uci"], &step["key"]["after"]), (&"e2e4".into(), &board["memory"]["key"]), "{board}");
        assert!(board["flip"]["place"].is_string(), "{board}");
    }
    assert_eq!(boards[0]["steps"][0]["move"]["integer"], 531_363);
}

#[test]
fn what_makes_no_sense_is_told_in_one_line() {
    assert!(complaint(&["board", "startpos", "e5"], 2).contains("e5"));
    assert!(complaint(&["board", "nonsense"], 2).contains("FEN has 1 field,"));
    assert!(complaint(&["board", "--as", "abacus"], 2).contains("there is no board called"));
    assert!(complaint(&["board", "--as", "movemap-both"], 2).contains("is not drawn"));
    assert!(complaint(&["board", "--corrupt", "e9"], 2).contains("\"e9\" is nowhere in the memory"));
    assert!(complaint(&["board", "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1"], 2).contains("standard chess"));
}
