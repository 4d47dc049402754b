// What was played in a position: moves, how often, and how the games ended.

import { get, type Explorer, type ExplorerMove } from "../api";
import { fill, h, select, type Child } from "../dom";
import { count, numbered, percent, percentages, plyOf } from "../format";
import { Newest } from "../newest";
import { complain } from "../notice";
import { resultSign } from "../result";
import { SEARCHED, tagSearch } from "../search";
import { w } from "../words";

interface Host {
  onMove(uci: string, san: string): void;
  onOpen(game: string): void;
  onHover?(uci: string | undefined): void;
}

type Source = Explorer["source"];

/** How many tags are offered. */
const MOST_TAGS = 30;

/** Puts an explorer into an element. */
export function mountExplorer(element: HTMLElement, host: Host): { show(fen: string): void; close(): void } {
  const requests = new Newest();
  let shown = "";
  let tags: string[] = [];
  const load = async () => {
    const isNewest = requests.begin();
    const { source, q } = meant(sessionStorage.getItem(CHOSEN) ?? "");
    const [answer, all] = await Promise.all([
      get("/explorer", { fen: shown, source, ...(q ? { q } : {}) }),
      tags.length > 0 ? tags : get("/library/labels").then(({ labels }) => labels.map(({ label }) => label)),
    ]);
    if (!isNewest()) return;
    tags = all;
    fill(element, ...parts(answer));
  };
  const parts = (answer: Explorer): Child[] => {
    const sources = sourcesOf(answer, tags);
    const choice = select(sources, sessionStorage.getItem(CHOSEN) ?? "", value => {
      sessionStorage.setItem(CHOSEN, value);
      load().catch(complain);
    });
    choice.setAttribute("aria-label", w.explorerSource);
    return [
      sources.length > 1 && h("div.row", {}, choice),
      answer.moves.length > 0 ? table(answer, host) : h("p.hint", {}, w.explorerEmpty),
      answer.samples.length > 0 && samples(answer, host),
    ];
  };
  return {
    show: fen => {
      if (fen === shown) return;
      shown = fen;
      load().catch(complain);
    },
    close: () => void requests.begin(),
  };
}

/** What is chosen to be explored: nothing for the whole library, the book, or a search of the library. */
const CHOSEN = "saavedra.explorer";
const BOOK = "book";

function meant(chosen: string): { source: Source; q?: string } {
  return chosen === BOOK ? { source: "book" } : { source: "library", q: chosen };
}

/** The whole library, the search that was made in it last, its tags, and the book. */
function sourcesOf({ sources }: Explorer, tags: string[]): [string, string][] {
  const search = sessionStorage.getItem(SEARCHED);
  const found: [string, string][] = search ? [[search, w.explorerSearch(search)]] : [];
  const tagged = tags.slice(0, MOST_TAGS).map((tag): [string, string] => [tagSearch(tag), w.explorerTag(tag)]);
  const book: [string, string][] = sources.includes("book") ? [[BOOK, w.explorerSources.book]] : [];
  const chosen = sessionStorage.getItem(CHOSEN) ?? "";
  const all: [string, string][] = [["", w.explorerSources.library], ...found, ...tagged, ...book];
  const isThere = all.some(([value]) => value === chosen);
  const once = all.filter(([value], index) => all.findIndex(([other]) => other === value) === index);
  return isThere ? once : [...once, [chosen, w.explorerSearch(chosen)]];
}

function table({ moves, games, fen, source, white, draws, black }: Explorer, host: Host): HTMLElement {
  const row = (move: ExplorerMove) => {
    const point = () => host.onHover?.(move.uci);
    const leave = () => host.onHover?.(undefined);
    const play = () => host.onMove(move.uci, move.san);
    const listeners = { onclick: play, onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave };
    const [share = 0] = percentages([move.games, Math.max(0, games - move.games)]);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("button.quiet", { type: "button", ...listeners }, numbered([move.san], plyOf(fen)))),
      h("td.number", {}, source === "book" ? percent(Math.round(move.weight ?? 0)) : count(move.games)),
      source === "library" && h("td.number.share", {}, percent(share)),
      source === "library" && h("td.results", {}, results(move)),
    );
  };
  const total = h(
    "tr",
    {},
    h("th", { scope: "row" }, w.explorerTotal),
    h("td.number", {}, count(games)),
    h("td"),
    h("td.results", {}, results({ white, draws, black })),
  );
  const foot = source === "library" && h("tfoot", {}, total);
  return h("table.explorer-moves", {}, h("tbody", {}, ...moves.map(row)), foot);
}

/** How the games ended, as one bar. */
function results({ white, draws, black }: Pick<ExplorerMove, "white" | "draws" | "black">): HTMLElement {
  const shares = percentages([white, draws, black]);
  const label = w.chancesAre(shares[0] ?? 0, shares[1] ?? 0, shares[2] ?? 0);
  const part = (kind: string, share = 0) => {
    const element = h(`span.${kind}` as "span", {}, share >= 15 ? percent(share) : "");
    element.style.flexGrow = String(share);
    return element;
  };
  return h(
    "div.chances",
    { role: "img", "aria-label": label, title: label },
    part("win", shares[0]),
    part("draw", shares[1]),
    part("loss", shares[2]),
  );
}

function samples({ samples }: Explorer, host: Host): HTMLElement {
  const items = samples.slice(0, 5).map(game => {
    const title = `${game.white} – ${game.black}`;
    const result = resultSign(game.result);
    return h(
      "li",
      {},
      h("button.quiet", { type: "button", onclick: () => host.onOpen(game.id) }, title),
      h("small", {}, [result, game.date.replaceAll(/\.\?\?/g, "")].filter(Boolean).join(" · ")),
    );
  });
  return h("ul.explorer-games", {}, ...items);
}
