// The explorer tab: what was played in the shown position. It is loaded when it is first opened.

import { h } from "../dom";
import { complain } from "../notice";
import { go } from "../route";
import type { mountExplorer } from "../explorer/explorer";

export class ExplorerPanel {
  readonly element = h("div.explorer");
  private mounted: Promise<ReturnType<typeof mountExplorer>> | undefined;
  private shown = "";

  constructor(private readonly onMove: (uci: string) => void) {}

  show(fen: string): void {
    this.shown = fen;
    this.mounted ??= import("../explorer/explorer").then(({ mountExplorer }) =>
      mountExplorer(this.element, { onMove: this.onMove, onOpen: id => go("game", [id]) }),
    );
    this.mounted.then(explorer => explorer.show(this.shown)).catch(complain);
  }

  close(): void {
    void this.mounted?.then(explorer => explorer.close());
  }
}
