// Home: what was begun, a bot to play, a puzzle from one's own games, mistakes to practise, the last games, and what is
// new.

import { get, post, type Card, type Home, type ListedGame } from "../api";
import { miniBoard } from "../board/mini";
import { sideToMove } from "../board/squares";
import { fill, h, type Child } from "../dom";
import { fileButton } from "../files";
import { ago, percent } from "../format";
import { importFile } from "../games";
import { attempt } from "../notice";
import { button } from "../parts/buttons";
import { gameTitle, ownSide, playerName } from "../play/people";
import { Setup } from "../play/setup";
import { address, go, type View } from "../route";
import { resultSign } from "../result";
import { w } from "../words";

/** Which news were read, and which there are; the second changes with them. */
const NEWS = "saavedra.news";
const NEWS_OF = "2026-11";

/** How many small boards stand side by side. */
const TILES = 3;

export function open(): View {
  const begun = h("section.home-part.begun", { hidden: true });
  const practice = h("section.home-part.due", {}, h("h2", {}, w.practice), h("p.hint", {}, w.practiceEmpty));
  const puzzle = h("section.home-part.daily", { hidden: true });
  const last = h("section.home-part.last", {}, h("h2", {}, w.lastGames), h("p.hint", {}, w.noGames));
  let isStarting = false;
  const start = async () => {
    if (isStarting) return;
    isStarting = true;
    try {
      go("game", [(await post("/games", await setup.game())).id]);
    } finally {
      isStarting = false;
    }
  };
  const setup = new Setup(null, () => attempt(start));
  const play = h("section.home-play", {}, h("h2", {}, w.play), setup.element);
  const open = fileButton(w.openFile, file => attempt(() => importFile(file.name, file)));
  const paste = h(
    "section.home-part.paste",
    {},
    h("p", {}, w.pasteAnywhere),
    h("div.row", {}, open, h("a.button", { href: "#/editor" }, w.setUpPosition)),
  );
  attempt(async () => {
    const home = await get("/home");
    begun.hidden = home.continue.length === 0;
    fill(begun, h("h2", {}, w.continue), h("div.tiles", {}, ...home.continue.slice(0, TILES).map(tile)));
    puzzle.hidden = !home.puzzle;
    if (home.puzzle) fill(puzzle, ...puzzleParts(home.puzzle));
    if (home.due > 0) fill(practice, ...practiceParts(home));
    if (home.last.length > 0)
      fill(
        last,
        h("h2", {}, w.lastGames),
        list(home.last),
        h("p", {}, h("a", { href: "#/library" }, w.allGames(home.games))),
      );
  });
  const begin = h("div.home-side", {}, play, puzzle, paste);
  return { element: h("div.home", {}, begin, h("div.home-side", {}, begun, practice, last, news())) };
}

/** A game in progress as a small board. */
function tile(game: ListedGame): HTMLElement {
  const own = ownSide(game);
  const opponent = own === "black" ? game.white : game.black;
  return h(
    "a.tile",
    { href: `#/game/${game.id}` },
    miniBoard(game.fen, own === "black" ? "b" : "w"),
    h("b", {}, own ? playerName(opponent) : `${game.white} – ${game.black}`),
    h("small", {}, w.moveNumber(Math.floor(game.plies / 2) + 1)),
  );
}

/** The puzzle of the day: a mistake of one's own games. */
function puzzleParts({ id, fen, label }: Card): Child[] {
  const side = sideToMove(fen);
  return [
    h("h2", {}, w.puzzle),
    h(
      "a.puzzle",
      { href: address("practice", [], { card: id }) },
      miniBoard(fen, side),
      h("span", {}, h("b", {}, side === "w" ? w.whiteToMove : w.blackToMove), h("small", {}, w.puzzleFrom(label))),
    ),
  ];
}

/** What is new in this version, until it was read. */
function news(): HTMLElement {
  const read = button(w.gotIt, () => {
    localStorage.setItem(NEWS, NEWS_OF);
    part.remove();
  });
  read.classList.add("quiet");
  const items = w.news.map(([text, href]) => h("li", {}, href ? h("a", { href }, text) : text));
  const part = h("section.home-part.news", {}, h("h2", {}, w.whatIsNew), h("ul", {}, ...items), read);
  part.hidden = localStorage.getItem(NEWS) === NEWS_OF;
  return part;
}

function practiceParts({ due, cards, puzzle }: Home): Child[] {
  // The puzzle of the day is shown already.
  const others = cards.filter(({ id }) => id !== puzzle?.id).slice(0, TILES);
  const boards = others.map(card =>
    h(
      "a.tile",
      { href: "#/practice" },
      miniBoard(card.fen, sideToMove(card.fen)),
      h("small", {}, sideToMove(card.fen) === "w" ? w.whiteToMove : w.blackToMove),
    ),
  );
  return [
    h("h2", {}, w.practice),
    h("p", {}, w.cardsDue(due)),
    h("div.tiles", {}, ...boards),
    h("p", {}, h("a.button", { href: "#/practice" }, w.practise)),
  ];
}

function list(games: ListedGame[]): HTMLElement {
  const row = (game: ListedGame) => {
    const side = ownSide(game);
    const own = side && game.accuracy?.[side];
    const facts = [game.opening, own ? percent(Math.round(own)) : undefined, ago(game.updated)]
      .filter(Boolean)
      .join(" · ");
    return h(
      "li",
      {},
      h(
        "a",
        { href: `#/game/${game.id}` },
        h("b", {}, gameTitle(game)),
        h("span.result", {}, shortResult(game)),
        h("small", {}, facts),
      ),
    );
  };
  return h("ul.games", {}, ...games.map(row));
}

function shortResult({ result, status }: ListedGame): string {
  if (status === "playing") return w.inProgress;
  return resultSign(result);
}
