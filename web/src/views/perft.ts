import { h } from "../dom";
import type { View } from "../route";
export function open(): View {
  return { element: h("div") };
}
