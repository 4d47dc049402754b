// Settings. Each takes effect as it is changed.

import { percent } from "../format";
import { miniBoard } from "../board/mini";
import { checkbox, field, h, select } from "../dom";
import type { View } from "../route";
import { BOARDS, change, FONT_SIZES, NOTATIONS, onSettings, PIECES, settings, THEMES } from "../settings";
import { play } from "../sound";
import { LANGUAGES, w, type Language } from "../words";

const SAMPLE = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 1";

export function open(): View {
  const sizes = FONT_SIZES.map(size => [String(size), percent(size)] as const);
  const size = select(sizes, String(settings.fontSize), value => change({ fontSize: Number(value) }));
  const named = <T extends string>(names: readonly T[], words: Record<T, string>) =>
    names.map(name => [name, words[name]] as const);
  const theme = select(named(THEMES, w.themes), settings.theme, value => change({ theme: value }));
  const board = select(named(BOARDS, w.boards), settings.board, value => change({ board: value }));
  const pieces = select(named(PIECES, w.pieceSets), settings.pieces, value => change({ pieces: value }));
  const notation = select(named(NOTATIONS, w.notations), settings.notation, value => change({ notation: value }));
  const languages = [["", w.browserLanguage] as const, ...LANGUAGES];
  const language = select<"" | Language>(languages, settings.language, value => {
    change({ language: value });
    location.reload();
  });
  const volume = h("input", {
    type: "range",
    min: 0,
    max: 100,
    step: 5,
    value: settings.volume,
    onchange: () => {
      change({ volume: Number(volume.value) });
      play("move");
    },
  });
  const names = h("input", {
    type: "text",
    maxlength: 400,
    value: settings.names,
    placeholder: "DrNykterstein; Carlsen, Magnus",
    onchange: () => change({ names: names.value }),
  });
  const boxes = {
    coordinates: checkbox(w.coordinates, settings.coordinates, coordinates => change({ coordinates })),
    targets: checkbox(w.showLegal, settings.targets, targets => change({ targets })),
    motion: checkbox(w.glide, settings.motion, motion => change({ motion })),
  };
  // The settings of the server may arrive later.
  const forget = onSettings(() => {
    size.value = String(settings.fontSize);
    theme.value = settings.theme;
    board.value = settings.board;
    pieces.value = settings.pieces;
    notation.value = settings.notation;
    volume.value = String(settings.volume);
    names.value = settings.names;
    for (const [name, label] of Object.entries(boxes)) {
      label.querySelector("input")!.checked = settings[name as keyof typeof boxes];
    }
  });
  const link = (href: string, text: string) => h("a", { href, rel: "noreferrer" }, text);
  return {
    element: h(
      "div.page.settings",
      {},
      h(
        "section",
        {},
        h("h2", {}, w.appearance),
        h(
          "div.settings-grid",
          {},
          h(
            "div.columns",
            {},
            field(w.board, board),
            field(w.pieces, pieces),
            field(w.theme, theme),
            field(w.fontSize, size, w.fontSizeHint),
            field(w.language, language),
            field(w.notation, notation),
            field(w.volume, volume),
          ),
          h("div.sample", {}, miniBoard(SAMPLE, "w", "d2d3")),
        ),
      ),
      h("section", {}, h("h2", {}, w.theBoard), ...Object.values(boxes)),
      h("section", {}, h("h2", {}, w.you), field(w.ownNames, names, w.ownNamesHint)),
      h(
        "section",
        {},
        h("h2", {}, w.about),
        h(
          "p.hint",
          {},
          w.credits,
          " ",
          link("https://github.com/shaack/cm-chessboard", "cm-chessboard"),
          " (",
          h("a", { href: "/licences.txt" }, w.licence),
          "). ",
          w.openingsCredit,
          " ",
          link("https://github.com/lichess-org/chess-openings", "chess-openings"),
          " (CC0).",
        ),
      ),
    ),
    close: forget,
  };
}
