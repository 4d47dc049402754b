// Sentences that the server says in English, in the language of the page. What is not known is shown as it comes.

/** A sentence in English, German and Spanish. `{}` stands for what is carried over, translated itself if it can be. */
export type Sentence = readonly [en: string, de: string, es: string];

/** From English: whole sentences, and those with something to carry over as expressions. */
interface Table {
  whole: Map<string, string>;
  open: { pattern: RegExp; words: string }[];
}

const COLUMNS: Record<string, 1 | 2> = { de: 1, es: 2 };

function table(sentences: readonly Sentence[], column: 1 | 2): Table {
  const made: Table = { whole: new Map(), open: [] };
  for (const sentence of sentences) {
    const words = sentence[column];
    if (!sentence[0].includes("{}")) {
      made.whole.set(sentence[0], words);
      continue;
    }
    const parts = sentence[0].split("{}").map(part => part.replaceAll(/[.*+?^$|()[\]{}]/g, String.raw`\$&`));
    made.open.push({ pattern: new RegExp(`^${parts.join("(.+?)")}$`, "s"), words });
  }
  return made;
}

/** Translates by a table of sentences, of which the first that fits counts. */
export function translator(sentences: readonly Sentence[]): (text: string) => string {
  let made: Table | undefined;
  const told = (text: string): string => {
    const column = COLUMNS[document.documentElement.lang];
    if (!column) return text;
    made ??= table(sentences, column);
    const known = made.whole.get(text);
    if (known !== undefined) return known;
    for (const { pattern, words } of made.open) {
      const found = pattern.exec(text);
      if (!found) continue;
      let next = 0;
      return words.replaceAll("{}", () => told(found[++next] ?? ""));
    }
    return text;
  };
  return told;
}
