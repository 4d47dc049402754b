// Settings. Each takes effect as it is changed.

import { card, checkbox, field, h, select } from "../dom";
import type { View } from "../route";
import { BOARDS, change, FONT_SIZES, onSettings, settings, THEMES } from "../settings";

export function open(): View {
  const sizes = FONT_SIZES.map(size => [String(size), `${size} %`] as const);
  const size = select(sizes, String(settings.fontSize), value => change({ fontSize: Number(value) }));
  const theme = select(THEMES, settings.theme, value => change({ theme: value }));
  const board = select(BOARDS, settings.board, value => change({ board: value }));
  const boxes = {
    coordinates: checkbox("Board coordinates", settings.coordinates, coordinates => change({ coordinates })),
    targets: checkbox("Show legal moves", settings.targets, targets => change({ targets })),
    motion: checkbox("Pieces glide", settings.motion, motion => change({ motion })),
    sound: checkbox("Sounds", settings.sound, sound => change({ sound })),
  };
  // The settings of the server may arrive later.
  const forget = onSettings(() => {
    size.value = String(settings.fontSize);
    theme.value = settings.theme;
    board.value = settings.board;
    for (const [name, label] of Object.entries(boxes)) {
      label.querySelector("input")!.checked = settings[name as keyof typeof boxes];
    }
  });
  const credits = h(
    "p.hint",
    {},
    "Everything runs on this machine; nothing is sent anywhere. The pieces were drawn for Saavedra. The board uses ",
    h("a", { href: "https://github.com/shaack/cm-chessboard", rel: "noreferrer" }, "cm-chessboard"),
    ", the plots use ",
    h("a", { href: "https://github.com/leeoniya/uPlot", rel: "noreferrer" }, "uPlot"),
    " (",
    h("a", { href: "/licences.txt" }, "their licences"),
    ").",
  );
  return {
    element: h(
      "div.page",
      {},
      card(
        "Appearance",
        h(
          "div.columns",
          {},
          field("Font size", size, "Scales the whole page, including the board."),
          field("Theme", theme),
          field("Board", board),
        ),
        swatch(),
      ),
      card("Board", ...Object.values(boxes)),
      card("About", credits),
    ),
    close: forget,
  };
}

/** A row of squares in the chosen colors. */
function swatch(): HTMLElement {
  const squares = Array.from({ length: 8 }, (_, index) => h(index % 2 ? "span.dark" : "span.light"));
  return h("div.swatch", { "aria-hidden": "true" }, ...squares);
}
