// Choosing who plays: a level for those who just want to play, or any mind with all its settings.

import { minds, type Gallery, type MindSetting } from "../api";
import { field, fill, h, select } from "../dom";
import { complain } from "../notice";

const ANY = "any";

export class MindChooser {
  readonly element = h("div.mind-chooser");
  private readonly details = h("div.columns");
  private gallery: Gallery | undefined;
  private level: HTMLSelectElement | undefined;
  private kind: HTMLSelectElement | undefined;
  private values = new Map<string, HTMLInputElement | HTMLSelectElement>();

  constructor(
    label: string,
    private readonly preferred: string | undefined,
  ) {
    fill(this.element, h("p.hint", {}, "Asking who can play …"));
    minds()
      .then(gallery => this.offer(gallery, label))
      .catch(complain);
  }

  /** The mind that is chosen, as the server writes it: `search:elo=1500`. Before there is a choice, the one preferred. */
  get mind(): string | undefined {
    if (!this.level) return this.preferred;
    if (this.level.value !== ANY) return this.level.value;
    const settings = [...this.values]
      .filter(([, control]) => control.value !== "")
      .map(([name, control]) => `${name}=${control.value}`);
    const kind = this.kind?.value ?? "search";
    return settings.length > 0 ? `${kind}:${settings.join(",")}` : kind;
  }

  private offer(gallery: Gallery, label: string): void {
    const { preferred } = this;
    this.gallery = gallery;
    const levels = gallery.levels.map(level => {
      const rating = level.elo === null ? "" : ` · ${level.elo}`;
      return [level.mind, level.title + rating] as const;
    });
    const known = levels.find(([mind]) => mind === preferred)?.[0];
    const usual = gallery.levels.find(level => (level.elo ?? 0) >= 1200) ?? gallery.levels[0];
    const chosen = known ?? (preferred ? ANY : (usual?.mind ?? ANY));
    this.level = select([...levels, [ANY, "Another mind …"]], chosen, () => this.showDetails());
    fill(this.element, field(label, this.level), this.details);
    this.showDetails(preferred);
  }

  private showDetails(preferred = ""): void {
    this.values.clear();
    if (this.level?.value !== ANY || !this.gallery) return fill(this.details);
    const [wanted] = preferred.split(":");
    const options = this.gallery.minds.map(mind => [mind.name, mind.title] as const);
    const first = this.gallery.minds.find(mind => mind.name === (wanted || this.kind?.value))?.name;
    this.kind = select(options, first ?? options[0]?.[0] ?? "search", () => this.showDetails());
    const mind = this.gallery.minds.find(({ name }) => name === this.kind?.value);
    const given = new Map(
      preferred
        .split(":")[1]
        ?.split(",")
        .map(pair => pair.split("=") as [string, string]),
    );
    const controls = mind?.settings.map(setting => this.control(setting, given.get(setting.name))) ?? [];
    fill(this.details, field("Mind", this.kind, mind?.about.split(";")[0]), ...controls);
  }

  private control(setting: MindSetting, given: string | undefined): HTMLElement {
    const usual = setting.default === null ? "" : String(setting.default);
    const choices = setting.choices.map(choice => [choice, choice] as const);
    const control =
      setting.kind === "choice"
        ? select([["", usual ? `usual (${usual})` : "usual"], ...choices], given ?? "")
        : h("input", {
            type: "number",
            min: setting.min,
            max: setting.max,
            placeholder: usual || "not set",
            value: given ?? "",
          });
    this.values.set(setting.name, control);
    const { min, max } = setting;
    const isTelling = min !== null && max !== null && max < Number.MAX_SAFE_INTEGER;
    return field(capitalised(setting.name), control, setting.about + (isTelling ? ` (${min} to ${max})` : ""));
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll(/[-_]/g, " ");
}
