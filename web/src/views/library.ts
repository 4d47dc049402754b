// The library: all games, found by words, fields and position; imported, exported, tagged and deleted.

import { ApiError, get, post, type ListedGame } from "../api";
import { miniBoard } from "../board/mini";
import { fill, h } from "../dom";
import { download, fileButton } from "../files";
import { count } from "../format";
import { importFile } from "../games";
import { Newest } from "../newest";
import { attempt, offerUndo, reason, say } from "../notice";
import { button } from "../parts/buttons";
import { gameTitle, isNamed, playerName } from "../play/people";
import { resultSign } from "../result";
import { address, parseRoute, rename, type Route, type View } from "../route";
import { SEARCHED, tagSearch } from "../search";
import { told, w } from "../words";
import { Deletions } from "./deletions";

const PAGE = 60;
/** The most games that the server lists at once. */
const MOST = 200;

export function open(route: Route): View {
  return new Library(route.query);
}

/** What is remembered with the address, so that the way back leads to where one was. */
interface Place {
  games: number;
  scroll: number;
}

class Library implements View {
  readonly element: HTMLElement;
  private readonly table: HTMLElement;
  private readonly wrong = h("p.wrong-search", { id: "wrong-search", hidden: true, role: "alert" });
  private readonly nothing = h("p.nothing-found", { hidden: true, role: "status" });
  private readonly search: HTMLInputElement;
  private readonly rows = h("tbody");
  private readonly told = h("p.hint", { role: "status" });
  private readonly more = button(w.showMore, () => this.load("more"));
  private readonly all = h("input", {
    type: "checkbox",
    "aria-label": w.selectAll,
    onchange: () => this.chooseShown(),
  });
  private readonly everything = button("", () => this.chooseEverything());
  private readonly chosen = new Set<string>();
  /** All that was found is chosen, shown or not. */
  private isEverything = false;
  private readonly erase = button(w.deleteGames, () => this.remove());
  private readonly save = button(w.exportGames, () => this.export());
  private readonly tag = button(w.tagGames, () => this.label("add"));
  private readonly untag = button(w.untagGames, () => this.label("remove"));
  private readonly tagName = h("input", { type: "text", "aria-label": w.tagName, placeholder: w.tagName });
  private readonly deletions = new Deletions(() => this.load());
  private readonly requests = new Newest();
  private readonly fen: string | null;
  /** The search whose games are shown. What is done to all of them is done to these, whatever is being typed. */
  private found: Record<string, string> = {};
  private cursor: string | null = null;
  private total = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(query: URLSearchParams) {
    this.fen = query.get("fen");
    this.everything.classList.add("quiet");
    this.search = h("input", {
      type: "search",
      value: query.get("q") ?? "",
      "aria-label": w.searchLibrary,
      placeholder: w.searchLibrary,
      "aria-describedby": "wrong-search",
      oninput: () => {
        this.choose(false);
        this.tell();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => attempt(() => this.load()), 150);
      },
    });
    const head = [h("th", {}, this.all), ...w.libraryColumns.map(name => h("th", { scope: "col" }, name))];
    this.table = h(
      "div.scroll.table",
      { tabindex: 0, role: "region", "aria-label": w.library },
      h("table.games-table", {}, h("thead", {}, h("tr", {}, ...head)), this.rows),
    );
    this.element = h(
      "div.page.library",
      {},
      h(
        "div.library-head",
        {},
        this.search,
        fileButton(w.importFile, file => attempt(() => this.import(file))),
      ),
      this.wrong,
      h("p.hint", {}, w.searchHelp),
      this.fen && this.place(this.fen),
      h(
        "div.row.library-actions",
        {},
        this.told,
        this.everything,
        this.save,
        this.erase,
        this.tagName,
        this.tag,
        this.untag,
      ),
      this.table,
      this.nothing,
      this.more,
      this.deletions.element,
    );
    // Where one was is noted before another view is opened.
    this.rows.addEventListener("click", this.remember);
    addEventListener("scrollend", this.remember);
    this.clear();
    attempt(() => this.return());
  }

  close(): void {
    clearTimeout(this.timer);
    removeEventListener("scrollend", this.remember);
    this.requests.begin();
  }

  private readonly remember = (): void => {
    if (parseRoute(location.hash).view !== "library") return;
    const place: Place = { games: this.rows.childElementCount, scroll: scrollY };
    history.replaceState(place, "", location.hash);
  };

  /** Shows as many games as there were when the view was left, at the same place. */
  private async return(): Promise<void> {
    const place = history.state as Place | null;
    await this.load();
    while (place && this.cursor !== null && this.rows.childElementCount < place.games) await this.load("more");
    if (place) scrollTo(0, place.scroll);
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

  /** What is done to many games is done to these. */
  private get selection() {
    return this.isEverything ? { q: "", ...this.found } : { ids: [...this.chosen] };
  }

  /** Shows the games that are found, or the next of them. */
  private async load(part: "first" | "more" = "first"): Promise<void> {
    const isNewest = this.requests.begin();
    const isMore = part === "more";
    const asked = isMore ? this.found : this.asked;
    if (!isMore) rename("library", [], asked);
    const next: Record<string, string> = isMore && this.cursor ? { cursor: this.cursor } : {};
    const question = { ...asked, limit: isMore ? MOST : PAGE, ...next };
    const answer = await get("/library", question).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code === "unreachable") throw error;
      return error;
    });
    if (!isNewest()) return;
    this.refuse(answer instanceof ApiError ? answer : undefined);
    if (answer instanceof ApiError) return this.clear();
    const { games, total, cursor } = answer;
    if (!isMore) {
      this.choose(false);
      this.found = asked;
      fill(this.rows);
      void this.deletions.refresh();
    }
    this.rows.append(...games.map(game => this.row(game)));
    this.cursor = cursor;
    this.total = total;
    if (asked.q && total > 0) sessionStorage.setItem(SEARCHED, asked.q);
    this.more.hidden = cursor === null;
    this.tell();
  }

  /** A search that makes no sense is told where it is written. */
  private refuse(error: ApiError | undefined): void {
    this.wrong.hidden = error === undefined;
    this.wrong.textContent = error ? reason(error) : "";
    this.search.ariaInvalid = String(error !== undefined);
  }

  /** Shows no games, and nothing that could be done to them. */
  private clear(): void {
    this.choose(false);
    fill(this.rows);
    this.total = 0;
    this.cursor = null;
    this.more.hidden = true;
    this.tell();
    this.told.textContent = "";
    this.nothing.hidden = true;
  }

  private row(game: ListedGame): HTMLElement {
    const choose = () => {
      this.isEverything = false;
      if (box.checked) this.chosen.add(game.id);
      else this.chosen.delete(game.id);
      this.tell();
    };
    const title = gameTitle(game);
    const player = (name: string, elo: number | null) => [
      h("bdi", {}, playerName(name) || "?"),
      elo !== null && h("small.elo", {}, `\u00a0${elo}`),
    ];
    const players = isNamed(game)
      ? [...player(game.white, game.white_elo), " – ", ...player(game.black, game.black_elo)]
      : [title];
    const box = h("input", { type: "checkbox", "aria-label": w.selectGame(title), value: game.id, onchange: choose });
    box.checked = this.isEverything;
    const broken =
      game.problem && h("small.broken-game", { title: told(game.problem) }, w.brokenGame(told(game.problem)));
    return h(
      "tr",
      {},
      h("td", {}, box),
      h(
        "th",
        { scope: "row" },
        h("a", { href: `#/game/${game.id}` }, ...players),
        ...game.labels.map(label => this.tagOf(game, label)),
        broken,
      ),
      h("td", {}, resultSign(game.result)),
      h("td", {}, game.date.replaceAll(/\.\?\?/g, "")),
      h("td", {}, [game.eco, game.opening].filter(Boolean).join(" ")),
      h("td.number", {}, String(Math.ceil(game.plies / 2))),
    );
  }

  /** Where no game is found the page says so, and how games come here. */
  private showNothing(): void {
    const isSearch = Object.keys(this.asked).length > 0;
    this.table.hidden = this.total === 0;
    this.nothing.hidden = this.total > 0 || !this.wrong.hidden;
    this.nothing.textContent = isSearch ? w.noGameFound : w.pasteAnywhere;
  }

  private tell(): void {
    this.showNothing();
    const amount = this.isEverything ? this.total : this.chosen.size;
    const shown = this.rows.childElementCount;
    this.told.textContent = amount > 0 ? w.gamesChosen(count(amount)) : w.gamesFound(count(this.total));
    this.all.checked = shown > 0 && (this.isEverything || this.chosen.size === shown);
    this.everything.textContent = w.selectAllFound(count(this.total));
    this.everything.hidden = !this.all.checked || this.isEverything || shown >= this.total;
    for (const control of [this.erase, this.tag, this.untag, this.tagName]) control.disabled = amount === 0;
    this.save.disabled = this.total === 0;
  }

  /** Chooses all games that are shown, or none. */
  private choose(isChosen: boolean): void {
    this.isEverything = false;
    for (const box of this.rows.querySelectorAll<HTMLInputElement>("input")) {
      box.checked = isChosen;
      if (isChosen) this.chosen.add(box.value);
    }
    if (!isChosen) this.chosen.clear();
  }

  private chooseShown(): void {
    this.choose(this.all.checked);
    this.tell();
  }

  private async chooseEverything(): Promise<void> {
    this.choose(true);
    this.isEverything = true;
    this.tell();
    this.erase.focus();
  }

  private async remove(): Promise<void> {
    const { deleted, undo } = await post("/library/delete", this.selection);
    await this.load();
    offerUndo(w.gamesDeleted(deleted), async () => {
      await post("/library/undo", { undo });
      await this.load();
    });
  }

  /** Adds the tag in the field to the selected games, or removes it from them. */
  private async label(act: "add" | "remove"): Promise<void> {
    const label = this.tagName.value.trim();
    if (!label) return this.tagName.focus();
    await post("/library/label", { games: this.selection, [act]: [label] });
    this.tagName.value = "";
    await this.load();
  }

  /** A tag: it leads to all games that have it, and can be taken from this one. */
  private tagOf(game: ListedGame, label: string): HTMLElement {
    const games = { ids: [game.id] };
    const remove = button("×", async () => {
      await post("/library/label", { games, remove: [label] });
      await this.load();
      offerUndo(w.tagRemoved(label), async () => {
        await post("/library/label", { games, add: [label] });
        await this.load();
      });
    });
    remove.classList.add("quiet");
    remove.ariaLabel = w.removeTag(label);
    const link = h("a", { href: address("library", [], { q: tagSearch(label) }) }, label);
    return h("small.tag-label", {}, link, remove);
  }

  /** Saves what was chosen, or all that was found. */
  private async export(): Promise<void> {
    const isSome = this.chosen.size > 0 && !this.isEverything;
    const pgn = isSome ? await post("/library/export", this.selection) : await get("/library/export", this.found);
    download("saavedra.pgn", new Blob([pgn], { type: "application/x-chess-pgn" }));
  }

  private async import(file: File): Promise<void> {
    await importFile(file.name, file, (games, broken) => say(w.importing(count(games), broken)));
  }
}
