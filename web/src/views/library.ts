// The library: all games, found by words, fields and position; imported, exported, tagged and deleted.

import { get, post, type ListedGame } from "../api";
import { miniBoard } from "../board/mini";
import { fill, h } from "../dom";
import { download, fileButton } from "../files";
import { count } from "../format";
import { importFile } from "../games";
import { Newest } from "../newest";
import { attempt, offerUndo, say } from "../notice";
import { button } from "../parts/buttons";
import { playerName } from "../play/bots";
import { rename, type Route, type View } from "../route";
import { w } from "../words";

const PAGE = 60;

export function open(route: Route): View {
  return new Library(route.query);
}

class Library implements View {
  readonly element: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly rows = h("tbody");
  private readonly told = h("p.hint", { role: "status" });
  private readonly more = button(w.showMore, () => this.load(true));
  private readonly all = h("input", { type: "checkbox", "aria-label": w.selectAll, onchange: () => this.chooseAll() });
  private readonly chosen = new Set<string>();
  private readonly erase = button(w.deleteGames, () => this.remove());
  private readonly save = button(w.exportGames, () => this.export());
  private readonly tag = button(w.tagGames, () => this.addTag());
  private readonly tagName = h("input", { type: "text", "aria-label": w.tagName, placeholder: w.tagName });
  private readonly requests = new Newest();
  private readonly fen: string | null;
  private cursor: string | null = null;
  private total = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(query: URLSearchParams) {
    this.fen = query.get("fen");
    this.search = h("input", {
      type: "search",
      value: query.get("q") ?? "",
      "aria-label": w.searchLibrary,
      placeholder: w.searchLibrary,
      oninput: () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => attempt(() => this.load()), 150);
      },
    });
    const head = [h("th", {}, this.all), ...w.libraryColumns.map(name => h("th", { scope: "col" }, name))];
    this.element = h(
      "div.page.library",
      {},
      h(
        "div.library-head",
        {},
        this.search,
        fileButton(w.importFile, file => attempt(() => this.import(file))),
      ),
      h("p.hint", {}, w.searchHelp),
      this.fen && this.place(this.fen),
      h("div.row.library-actions", {}, this.told, this.save, this.erase, this.tagName, this.tag),
      h(
        "div.scroll.table",
        { tabindex: 0, role: "region", "aria-label": w.library },
        h("table.games-table", {}, h("thead", {}, h("tr", {}, ...head)), this.rows),
      ),
      this.more,
    );
    attempt(() => this.load());
  }

  close(): void {
    clearTimeout(this.timer);
    this.requests.begin();
  }

  /** The position that is searched for, and a way to search everywhere again. */
  private place(fen: string): HTMLElement {
    const all = h("a", { href: "#/library" }, w.anyPosition);
    return h("div.found-position", {}, miniBoard(fen), h("p", {}, `${w.withPosition} `, all));
  }

  private get asked(): Record<string, string> {
    const q = this.search.value.trim();
    return { ...(q ? { q } : {}), ...(this.fen ? { fen: this.fen } : {}) };
  }

  /** Shows the games that are found, or the next of them. */
  private async load(isMore = false): Promise<void> {
    const isNewest = this.requests.begin();
    rename("library", [], this.asked);
    const next: Record<string, string> = isMore && this.cursor ? { cursor: this.cursor } : {};
    const { games, total, cursor } = await get("/library", { ...this.asked, limit: PAGE, ...next });
    if (!isNewest()) return;
    if (!isMore) {
      this.chosen.clear();
      this.all.checked = false;
      fill(this.rows);
    }
    this.rows.append(...games.map(game => this.row(game)));
    this.cursor = cursor;
    this.total = total;
    this.more.hidden = cursor === null;
    this.tell();
  }

  private row(game: ListedGame): HTMLElement {
    const choose = () => {
      if (box.checked) this.chosen.add(game.id);
      else this.chosen.delete(game.id);
      this.tell();
    };
    const names = `${playerName(game.white) || "?"} – ${playerName(game.black) || "?"}`;
    const box = h("input", { type: "checkbox", "aria-label": w.selectGame(names), value: game.id, onchange: choose });
    const result = game.result === "*" ? "" : game.result.replace("1/2-1/2", "½–½").replace("-", "–");
    const broken = game.problem && h("small.broken-game", { title: game.problem }, w.brokenGame(game.problem));
    const labels = game.labels.map(label => h("small.tag-label", {}, label));
    return h(
      "tr",
      {},
      h("td", {}, box),
      h("th", { scope: "row" }, h("a", { href: `#/game/${game.id}` }, names), ...labels, broken),
      h("td", {}, game.status === "playing" ? w.inProgress : result),
      h("td", {}, game.date.replaceAll(/\.\?\?/g, "")),
      h("td", {}, [game.eco, game.opening].filter(Boolean).join(" ")),
      h("td.number", {}, String(Math.ceil(game.plies / 2))),
    );
  }

  private tell(): void {
    const amount = this.chosen.size;
    this.told.textContent = amount > 0 ? w.gamesChosen(count(amount)) : w.gamesFound(count(this.total));
    for (const control of [this.erase, this.tag, this.tagName]) control.disabled = amount === 0;
    this.save.disabled = this.total === 0;
  }

  private chooseAll(): void {
    for (const box of this.rows.querySelectorAll<HTMLInputElement>("input")) {
      box.checked = this.all.checked;
      if (box.checked) this.chosen.add(box.value);
      else this.chosen.delete(box.value);
    }
    this.tell();
  }

  private async remove(): Promise<void> {
    const { deleted, undo } = await post("/library/delete", { ids: [...this.chosen] });
    await this.load();
    offerUndo(w.gamesDeleted(deleted), async () => {
      await post("/library/undo", { undo });
      await this.load();
    });
  }

  private async addTag(): Promise<void> {
    const label = this.tagName.value.trim();
    if (!label) return this.tagName.focus();
    await post("/library/label", { games: { ids: [...this.chosen] }, add: [label] });
    this.tagName.value = "";
    await this.load();
  }

  /** Saves what was chosen, or all that was found. */
  private async export(): Promise<void> {
    const pgn =
      this.chosen.size > 0
        ? await post("/library/export", { ids: [...this.chosen] })
        : await get("/library/export", this.asked);
    download("saavedra.pgn", new Blob([pgn], { type: "application/x-chess-pgn" }));
  }

  private async import(file: File): Promise<void> {
    await importFile(file.name, file, (games, broken) => say(w.importing(count(games), broken)));
  }
}
