// Functions that create elements. There is no framework: a view builds its elements once and then updates them.

export type Child = Node | string | null | undefined | false;

type Value = string | number | boolean | null | undefined | ((event: never) => void);

/**
 * Makes an element. `"button.primary"` names the tag and its classes; functions become listeners, booleans switch
 * attributes on and off, `value` is set as a property, and everything else is an attribute.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K | `${K}.${string}`,
  properties: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = name.split(".") as [K, ...string[]];
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(key.replace(/^on/, ""), value as EventListener);
    else if (key === "value") Reflect.set(element, key, value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children.filter(isShown));
  return element;
}

/** Replaces the content of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter(isShown));
}

function isShown(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false;
}

const SVG = "http://www.w3.org/2000/svg";

/** Creates an SVG element. */
export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A labelled control, with an optional hint below. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  const id = (control.id ||= `field-${++fields}`);
  const parts: Child[] = [h("label", { for: id }, label), control];
  if (hint) {
    control.setAttribute("aria-describedby", `${id}-hint`);
    parts.push(h("p.hint", { id: `${id}-hint` }, hint));
  }
  return h("div.field", {}, ...parts);
}
let fields = 0;

/** A checkbox with its label. */
export function checkbox(label: string, checked: boolean, change: (checked: boolean) => void): HTMLLabelElement {
  const box = h("input", { type: "checkbox", checked, onchange: () => change(box.checked) });
  return h("label.check", {}, box, h("span", {}, label));
}

/** A drop-down list. */
export function select<T extends string>(
  options: readonly (readonly [T, string])[],
  chosen: T,
  change: (value: T) => void = () => {},
): HTMLSelectElement {
  const element = h("select", { onchange: () => change(element.value as T) });
  for (const [value, label] of options) element.append(h("option", { value }, label));
  element.value = chosen;
  return element;
}

/** A box with a heading. */
export function card(title: string, ...children: Child[]): HTMLElement {
  return h("section.card", {}, h("h2", {}, title), ...children);
}
