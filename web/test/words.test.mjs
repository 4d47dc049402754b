// What the server says, in the language of the page.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SIDE_BY_SIDE, newImport, setup, stands, visit } from "./harness.mjs";

const here = setup();
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The texts of all sources, where every value that is filled in is `{}`. */
async function sources() {
  const crates = await readdir(path.join(ROOT, "crates"), { recursive: true });
  const files = crates.filter(file => /^[^/]+\/src\/.*\.rs$/.test(file));
  const texts = await Promise.all(files.map(file => readFile(path.join(ROOT, "crates", file), "utf8")));
  return texts
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(String.raw`\"`, '"')
    .replaceAll(/\{[^{}\n]*\}/g, "{}");
}

describe("words", SIDE_BY_SIDE, () => {
  test("every sentence that is translated is one that the server says", async () => {
    const table = await readFile(path.join(ROOT, "web/src/words/server.ts"), "utf8");
    const said = [...table.matchAll(/\[\s*"((?:[^"\\]|\\.)*)",\s*"/g)].map(([, sentence]) => sentence);
    assert.ok(said.length > 80, String(said.length));
    const text = await sources();
    const unknown = said.filter(sentence => sentence.split("{}").some(part => !text.includes(part.trim())));
    assert.deepEqual(unknown, []);
  });

  for (const [language, noFilter] of [
    ["de", /^Den Filter „reslut“ gibt es nicht: erwartet wird result, year/],
    ["es", /^No hay filtro «reslut»: se espera result, year/],
    ["en", /^There is no filter “reslut”: expected result, year/],
  ]) {
    test(`a search names the filter that there is not: ${language}`, async t => {
      const page = await visit(t, here, "#/library", { settings: { language } });
      await page.locator(".library").getByRole("searchbox").fill("reslut:1-0");
      const told = page.locator(".wrong-search");
      await told.waitFor();
      assert.match(await told.textContent(), noFilter);
      assert.equal(await page.locator(".notice.wrong").count(), 0, "it is told at the field, and nowhere else");
    });
  }

  for (const [language, told] of [
    ["de", "Ke9 ist kein Zug: erwartet wird etwas wie"],
    ["es", "Ke9 no es una jugada: se espera algo como"],
  ]) {
    test(`a move that is none is refused in the language of the page: ${language}`, async t => {
      const page = await visit(t, here, `#/game/${await newImport(here, "1. e4 *")}`, { settings: { language } });
      await stands(page, "wk", "e1");
      await page.locator(".typed input").fill("Ke9");
      await page.keyboard.press("Enter");
      await page.locator(".notice.wrong").getByText(told.slice(4)).waitFor();
    });
  }

  test("what is wrong with a position is told in the language of the page", async t => {
    const page = await visit(t, here, "#/editor", { settings: { language: "de" } });
    await page.getByRole("button", { name: "Leeres Brett" }).click();
    await page.locator(".problems").getByText("Weiß hat keinen König").waitFor();
  });

  test("numbers are written as the language does: percentages, evaluations, quotation marks", async t => {
    const id = await newImport(here, "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
    const written = async (language, start) => {
      const page = await visit(t, here, `#/game/${id}?tab=review&ply=3`, { settings: { language } });
      if (start) await page.locator(".review").getByRole("button", { name: start }).click();
      const figure = page.locator(".accuracy .figure").first();
      await figure.waitFor({ timeout: 180_000 });
      await page.locator(".words summary").click();
      return [await figure.textContent(), await page.locator(".words details .hint").textContent()];
    };
    const [english, depth] = await written("en", "Review the game");
    assert.match(english, /^\d+\.\d%$/);
    assert.match(depth, /Evaluation [+−]?\d+\.\d\d, depth/);
    const [german, tiefe] = await written("de");
    assert.match(german, /^\d+,\d\u00a0%$/);
    assert.match(tiefe, /Bewertung [+−]?\d+,\d\d, Tiefe/);
  });
});
