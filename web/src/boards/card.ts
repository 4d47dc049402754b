// One board with all it tells: the last move, the memory, the state, the history, the key and the check.

import type { BitFlip, BoardField, Inspection } from "../api";
import { h, type Child } from "../dom";
import { w } from "../words";
import { history, key, record } from "./record";
import { tables } from "./memory";
import { told } from "./told";

export function title(board: string): string {
  return w.inLab.boards.names[board] ?? board;
}

/** The parts of a board in rows, so that those of all boards stand in line. */
export function boardCard(found: Inspection): HTMLElement {
  const { board, about, memory, steps } = found;
  const words = w.inLab.boards;
  const step = steps.at(-1);
  const part = (name: string, ...children: Child[]) => h("section.board-part", {}, h("h3", {}, name), ...children);
  const move = step
    ? part(step.move.integer === null ? words.moveInSeven : words.moveInOne, record(step.move))
    : part(words.move, h("p.hint", {}, words.playOne));
  return h(
    "article.board-card.card",
    { "aria-label": title(board), "data-board": board },
    h("header", {}, h("h2", {}, title(board)), h("p.hint", {}, words.size(told(about), memory.bytes))),
    move,
    part(words.memory, ...tables(memory.tables)),
    part(words.kept, state(memory.state), ...(step?.notes ?? []).map(note => h("p.list-note", {}, told(note)))),
    part(words.history, step?.history_after ? history(step.history_before, step.history_after) : h("p.hint", {}, "–")),
    part(words.key, step ? key(step.key) : h("p.mono.whole-key", {}, memory.key)),
    part(words.check, ...check(found)),
  );
}

function state(fields: BoardField[]): HTMLElement {
  const rows = fields.map(({ name, value, was, meaning }) =>
    h(
      was === null ? "tr" : "tr.changed",
      {},
      h("th", { scope: "row" }, told(name), h("small", {}, told(meaning))),
      h("td.mono", { title: was === null ? null : w.inLab.boards.was(was) }, told(value)),
    ),
  );
  const table = h("table.state", {}, h("tbody", {}, ...rows));
  return h("div.scroll", { tabindex: 0, role: "group", "aria-label": w.inLab.boards.state }, table);
}

function check({ complaints, flip }: Inspection): Child[] {
  if (flip) return [flipped(flip)];
  if (complaints.length === 0) return [h("p.good", {}, w.inLab.boards.agrees)];
  return [h("div.problems", {}, h("ul", {}, ...complaints.map(text => h("li", {}, told(text)))))];
}

/** What the check says of a flipped bit. */
function flipped({ place, bit, before, after, fen, complaints, silence }: BitFlip): HTMLElement {
  const words = w.inLab.boards;
  const [start, end] = words.flipped(bit);
  const said = complaints.map(text => h("li", {}, told(text)));
  return h(
    "div.flip",
    {},
    h("p", {}, start, h("b.mono", {}, place), end),
    h("p.mono.flip-bits", {}, `${before} → ${after}`),
    silence
      ? h("p.silence", {}, told(silence), words.believes, h("span.mono", {}, fen))
      : h("div.problems", {}, h("p", {}, words.checkSays), h("ul", {}, ...said)),
  );
}
