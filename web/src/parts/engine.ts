// The choice of an engine: a level, or any engine with all its settings.

import { engines, type Engines, type EngineSetting } from "../api";
import { field, fill, h, select } from "../dom";
import { complain } from "../notice";
import { w } from "../words";

const ANY = "any";

export class EngineChooser {
  readonly element = h("div.engine-chooser");
  private readonly details = h("div.columns");
  private engines: Engines | undefined;
  private level: HTMLSelectElement | undefined;
  private kind: HTMLSelectElement | undefined;
  private values = new Map<string, HTMLInputElement | HTMLSelectElement>();

  constructor(
    label: string,
    private readonly preferred: string | undefined,
  ) {
    fill(this.element, h("p.hint", {}, w.loadingEngines));
    engines()
      .then(engines => this.offer(engines, label))
      .catch(complain);
  }

  /** The chosen engine as the server names it: `search:elo=1500`. Before the choice has loaded, the preferred one. */
  get mind(): string | undefined {
    if (!this.level) return this.preferred;
    if (this.level.value !== ANY) return this.level.value;
    const settings = [...this.values]
      .filter(([, control]) => control.value !== "")
      .map(([name, control]) => `${name}=${control.value}`);
    const kind = this.kind?.value ?? "search";
    return settings.length > 0 ? `${kind}:${settings.join(",")}` : kind;
  }

  private offer(engines: Engines, label: string): void {
    const { preferred } = this;
    this.engines = engines;
    const levels = engines.levels.map(level => {
      const rating = level.elo === null ? "" : ` · ${level.elo}`;
      return [level.mind, level.title + rating] as const;
    });
    const known = levels.find(([mind]) => mind === preferred)?.[0];
    const usual = engines.levels.find(level => (level.elo ?? 0) >= 1200) ?? engines.levels[0];
    const chosen = known ?? (preferred ? ANY : (usual?.mind ?? ANY));
    this.level = select([...levels, [ANY, w.anotherEngine]], chosen, () => this.showDetails());
    fill(this.element, field(label, this.level), this.details);
    this.showDetails(preferred);
  }

  private showDetails(preferred = ""): void {
    this.values.clear();
    if (this.level?.value !== ANY || !this.engines) return fill(this.details);
    const [wanted] = preferred.split(":");
    const options = this.engines.minds.map(mind => [mind.name, mind.title] as const);
    const first = this.engines.minds.find(mind => mind.name === (wanted || this.kind?.value))?.name;
    this.kind = select(options, first ?? options[0]?.[0] ?? "search", () => this.showDetails());
    const mind = this.engines.minds.find(({ name }) => name === this.kind?.value);
    const given = new Map(
      preferred
        .split(":")[1]
        ?.split(",")
        .map(pair => pair.split("=") as [string, string]),
    );
    const controls = mind?.settings.map(setting => this.control(setting, given.get(setting.name))) ?? [];
    fill(this.details, field(w.engine, this.kind, mind?.about.split(";")[0]), ...controls);
  }

  private control(setting: EngineSetting, given: string | undefined): HTMLElement {
    const usual = setting.default === null ? "" : String(setting.default);
    const choices = setting.choices.map(choice => [choice, choice] as const);
    const control =
      setting.kind === "choice"
        ? select([["", usual ? `${w.default} (${usual})` : w.default], ...choices], given ?? "")
        : h("input", {
            type: "number",
            min: setting.min,
            max: setting.max,
            placeholder: usual || w.notSet,
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
