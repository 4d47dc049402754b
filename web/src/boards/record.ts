// Integers with their fields: the bits in colors, and each field explained when it is pointed at or has the focus.

import type { BoardField, BoardRecord, KeyUpdate } from "../api";
import { fill, h } from "../dom";
import { w } from "../words";
import { told } from "./told";

/** A move, or a word of history, with the bits of every field. */
export function record({ integer, bits, fields }: BoardRecord): HTMLElement {
  const explanation = h("p.field-explanation", { role: "status" }, w.inLab.boards.pointAtField);
  const word = integer === null || bits === null ? undefined : bitRow(integer, bits, fields);
  const items = fields.map((field, index) => {
    const item = h(
      `button.field-item.tint-${index % 13}` as "button",
      { type: "button" },
      h("span.field-value.mono", {}, field.value),
      h("span.field-name", {}, told(field.name)),
      h("span.field-meaning", {}, told(field.meaning)),
    );
    const show = () => {
      fill(explanation, ...explain(field, integer));
      for (const bit of word?.querySelectorAll(".bit") ?? [])
        bit.classList.toggle("pointed", bit.classList.contains(`of-${index}`));
    };
    for (const kind of ["pointerenter", "focus", "click"]) item.addEventListener(kind, show);
    return item;
  });
  const number = integer === null ? undefined : h("p.integer.mono", {}, `${integer} = 0x${integer.toString(16)}`);
  return h("div.record", {}, number, word, h("div.field-items", {}, ...items), explanation);
}

/** The bits of an integer from the highest down, in groups of four, each in the color of its field. */
function bitRow(integer: number, bits: number, fields: BoardField[]): HTMLElement {
  const groups: HTMLElement[] = [];
  for (let bit = bits - 1; bit >= 0; bit--) {
    const owner = fields.findIndex(({ mask }) => mask !== null && ((mask >>> bit) & 1) === 1);
    const digit = h(`span.bit.of-${owner}.tint-${owner % 13}` as "span", {}, String((integer >>> bit) & 1));
    if (bit === bits - 1 || bit % 4 === 3) groups.push(h("span.nibble"));
    groups.at(-1)!.append(digit);
  }
  return h("p.bit-row.mono", { role: "img", "aria-label": w.inLab.boards.binary(integer) }, ...groups);
}

function explain(field: BoardField, integer: number | null): (HTMLElement | string)[] {
  if (field.mask === null || field.shift === null || integer === null)
    return [h("b", {}, told(field.name)), w.inLab.boards.holds(field.value, told(field.meaning))];
  const mask = `0x${(field.mask >>> field.shift).toString(16)}`;
  const formula = field.shift === 0 ? `move & ${mask}` : `(move >> ${field.shift}) & ${mask}`;
  return [
    h("b", {}, told(field.name)),
    " = ",
    h("code", {}, `${formula} = ${field.value}`),
    `: ${told(field.meaning)}.`,
  ];
}

/** The last entry of the history before and after the move. */
export function history(before: BoardRecord | null, after: BoardRecord): HTMLElement {
  const isAlike = before !== null && before.fields.every((field, index) => field.name === after.fields[index]?.name);
  const word = ({ integer }: BoardRecord) => (integer === null ? "" : ` 0x${integer.toString(16).padStart(8, "0")}`);
  const rows = after.fields.map((field, index) => {
    const old = isAlike ? before.fields[index]!.value : "";
    const changed = isAlike && old !== field.value;
    return h(
      changed ? "tr.changed" : "tr",
      {},
      h("th", { scope: "row" }, told(field.name), h("small", {}, told(field.meaning))),
      h("td.mono", {}, old),
      h("td.mono", {}, field.value),
    );
  });
  const title = (entry: BoardRecord | null) => (entry ? `${told(entry.name)}${word(entry)}` : w.inLab.boards.nothing);
  const column = (name: string) => h("th", { scope: "col" }, name);
  const words = w.inLab.boards;
  const head = h("tr", {}, h("td"), column(words.before), column(words.after));
  const about = h(
    "p.memory-about",
    {},
    h("b", {}, `${capital(words.before)}: `),
    title(before),
    h("br"),
    h("b", {}, `${capital(words.after)}: `),
    title(after),
  );
  const isWide = [before, after].some(entry => entry?.fields.some(({ value }) => value.length > 8));
  const table = h(isWide ? "table.history.wide" : "table.history", {}, h("thead", {}, head), h("tbody", {}, ...rows));
  return h("div", {}, about, scroll(words.history, table));
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

/** What went into the key, and what came out of it. */
export function key({ about, before, parts, after }: KeyUpdate): HTMLElement {
  const row = (way: string, what: string, number: string, kind: string) =>
    h(`tr.${kind}` as "tr", {}, h("td", {}, way), h("td", {}, what), h("td.mono", {}, number));
  const words = w.inLab.boards;
  const rows = parts.map(part => row(words.ways[part.way], told(part.what), part.number, part.way));
  const body = h("tbody", {}, row("", words.before, before, "whole"), ...rows, row("=", words.after, after, "whole"));
  return h("div", {}, h("p.memory-about", {}, words.keyIs(told(about))), scroll(words.key, h("table.key", {}, body)));
}

function scroll(name: string, content: HTMLElement): HTMLElement {
  return h("div.scroll", { tabindex: 0, role: "group", "aria-label": name }, content);
}
