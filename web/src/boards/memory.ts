// The memory of a board, drawn from the description that the board itself gives of it.

import type { BoardField, Table, TableCell, TableRow } from "../api";
import { h, type Child } from "../dom";
import { w } from "../words";
import { told } from "./told";

/** All tables of a board. Boards of single bits stand beside each other. */
export function tables(all: Table[]): HTMLElement[] {
  const parts: HTMLElement[] = [];
  let bits: Table[] = [];
  const finish = () => {
    if (bits.length > 0) parts.push(bitTables(bits));
    bits = [];
  };
  for (const table of all) {
    if (table.layout === "bits") {
      bits.push(table);
      continue;
    }
    finish();
    parts.push(h("div.memory-part", {}, heading(table.name, table.about), grid(table)));
  }
  finish();
  return parts;
}

function heading(name: string, about: string): HTMLElement {
  return h("p.memory-about", {}, h("b.mono", {}, name), ` ${told(about)}`);
}

function bitTables(all: Table[]): HTMLElement {
  const [first] = all;
  if (all.length === 1) {
    return h("div.memory-part", {}, heading(first!.name, first!.about), h("figure.bits.alone", {}, grid(first!)));
  }
  const small = all.map(table => h("figure.bits", {}, h("figcaption.mono", {}, table.name), grid(table)));
  return h("div.memory-part", {}, h("p.memory-about", {}, told(first!.about)), h("div.bit-boards", {}, ...small));
}

function grid(table: Table): HTMLElement {
  if (table.layout === "lists" && !table.rows.some(row => row.note)) return steps(table);
  const rows = table.rows.map(row => tableRow(row, table.layout));
  const body = h("table", { "aria-label": table.name }, h("tbody", {}, ...rows));
  const kind = `div.cells.${table.layout}-cells.scroll` as "div";
  return h(kind, { tabindex: 0, role: "group", "aria-label": table.name }, body);
}

/** Lists of different lengths that never change, as running text. */
function steps(table: Table): HTMLElement {
  const items = table.rows.flatMap(row => [
    h("dt", {}, told(row.label)),
    h("dd.mono", {}, row.cells.map(cell => cell.value).join(" ")),
  ]);
  return h("dl.move-maps", {}, ...items);
}

function tableRow(row: TableRow, layout: Table["layout"]): HTMLElement {
  const cells: Child[] = row.cells.map(cell => tableCell(cell, layout));
  if (layout === "lists" && row.note) cells.push(noteCell(row.note));
  return h("tr", {}, h("th.mono", { scope: "row" }, row.label), ...cells);
}

function noteCell(note: BoardField): HTMLElement {
  const meaning = told(note.meaning);
  const title = note.was === null ? meaning : `${meaning}; ${w.inLab.boards.was(note.was)}`;
  return h(note.was === null ? "td.note" : "td.note.changed", { title }, `× ${note.value}`);
}

/** A cell with its colors: whose piece it holds, whether it is in use, whether the last move changed it. */
function tableCell(cell: TableCell, layout: Table["layout"]): HTMLElement {
  const owner = cell.piece === null ? "" : cell.piece === cell.piece.toUpperCase() ? ".white" : ".black";
  const changed = cell.was === null ? "" : ".changed";
  const words = w.inLab.boards;
  const place = layout === "lists" ? words.place(cell.index) : words.index(cell.index);
  const title = words.cell(cell.square ? [place, cell.square] : [place], cell.value, cell.was);
  // Where there is nothing to see nothing is drawn, unless there was something before.
  const isBlank = layout === "bits" && cell.kind === "empty" && cell.value === "0";
  const text = cell.was !== null ? cell.value : cell.kind === "unused" ? "·" : isBlank ? "" : cell.value;
  const properties = { title, "data-square": cell.square };
  return h(`td.${cell.kind}${owner}${changed}` as "td", properties, text);
}
