// One board with all it tells: the last move, the memory, the state, the history, the key and the check.

import type { BitFlip, BoardField, Inspection } from "../api";
import { h, type Child } from "../dom";
import { history, key, record } from "./record";
import { tables } from "./memory";

const TITLES: Record<string, string> = {
  mailbox: "Mailbox",
  packed: "Packed",
  movemap: "Move maps",
  bitboard: "Bitboard",
};

export function title(board: string): string {
  return TITLES[board] ?? board;
}

/** The parts of a board in rows, so that those of all boards stand in line. */
export function boardCard(found: Inspection): HTMLElement {
  const { board, about, memory, steps } = found;
  const step = steps.at(-1);
  const part = (name: string, ...children: Child[]) => h("section.board-part", {}, h("h3", {}, name), ...children);
  const move = step
    ? part(step.move.integer === null ? "The move in seven integers" : "The move in one integer", record(step.move))
    : part("The move", h("p.hint", {}, "Play a move, or take the example game."));
  return h(
    "article.board-card.card",
    { "aria-label": title(board), "data-board": board },
    h("header", {}, h("h2", {}, title(board)), h("p.hint", {}, `${about}: ${memory.bytes} bytes`)),
    move,
    part("Memory", ...tables(memory.tables)),
    part("What else is kept", state(memory.state), ...(step?.notes ?? []).map(note => h("p.list-note", {}, note))),
    part("History", step?.history_after ? history(step.history_before, step.history_after) : h("p.hint", {}, "–")),
    part("Key", step ? key(step.key) : h("p.mono.whole-key", {}, memory.key)),
    part("Check", ...check(found)),
  );
}

function state(fields: BoardField[]): HTMLElement {
  const rows = fields.map(({ name, value, was, meaning }) =>
    h(
      was === null ? "tr" : "tr.changed",
      {},
      h("th", { scope: "row" }, name, h("small", {}, meaning)),
      h("td.mono", { title: was === null ? null : `was ${was}` }, value),
    ),
  );
  const table = h("table.state", {}, h("tbody", {}, ...rows));
  return h("div.scroll", { tabindex: 0, role: "group", "aria-label": "State" }, table);
}

function check({ complaints, flip }: Inspection): Child[] {
  if (flip) return [flipped(flip)];
  if (complaints.length === 0) return [h("p.good", {}, "All that is kept twice agrees.")];
  return [h("div.problems", {}, h("ul", {}, ...complaints.map(text => h("li", {}, text))))];
}

/** What the check says of a flipped bit. */
function flipped({ place, bit, before, after, fen, complaints, silence }: BitFlip): HTMLElement {
  const said = complaints.map(text => h("li", {}, text));
  return h(
    "div.flip",
    {},
    h("p", {}, `Bit ${bit} of `, h("b.mono", {}, place), " was flipped:"),
    h("p.mono.flip-bits", {}, `${before} → ${after}`),
    silence
      ? h("p.silence", {}, silence, " It now believes in ", h("span.mono", {}, fen))
      : h("div.problems", {}, h("p", {}, "The check says:"), h("ul", {}, ...said)),
  );
}
