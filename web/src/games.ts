// The games that the server keeps, whatever they came from: opened, imported, and made of what is pasted.

import { get, post, type KeptGame, type WritePgnRequest } from "./api";
import { looksLikeFen, looksLikeMoves } from "./files";
import { recover } from "./keeper";
import { count } from "./format";
import { fromPasted } from "./notation";
import { say } from "./notice";
import { go, reopen } from "./route";
import { told, w } from "./words";

/** Opens a game as it is after everything is saved. */
export async function openGame(id: string): Promise<KeptGame> {
  await recover();
  return get("/library/{id}", { id });
}

/** Makes a game of moves, and says where it is. */
export async function newAnalysis(game: WritePgnRequest): Promise<string> {
  const { id } = await post("/library", { kind: "analysis", ...game });
  return id;
}

/** Opens what was pasted or dropped: a FEN, moves, one game, or many. */
export async function receiveText(text: string): Promise<void> {
  const wanted = text.trim();
  if (!wanted) return;
  if (looksLikeFen(wanted)) {
    const position = await post("/legal", { fen: wanted });
    return go("new", [], { fen: position.fen });
  }
  // Moves alone are read as a score sheet is: of a broken one the good part is kept.
  if (looksLikeMoves(wanted)) {
    const pgn = fromPasted(wanted.replaceAll(",", " "));
    const { id } = await post("/library", { kind: "analysis", pgn });
    return go("game", [id]);
  }
  // One game is opened at once; of a broken one the good part, and the board says what is wrong.
  if (wanted.length < 500_000) {
    const { games, errors } = await post("/pgn/read", { pgn: wanted });
    if (games.length + errors.length === 0) throw new Error(w.noGameInText);
    if (games.length + errors.length === 1) {
      const { id } = await post("/library", { kind: "imported", pgn: wanted });
      return go("game", [id]);
    }
  }
  await importFile("pasted.pgn", new Blob([wanted]));
}

/** How far an import has come. */
function importState(id: string) {
  return get("/imports/{id}", { id });
}

/** Imports a file of any size and tells how far it is, then shows its game or all of them. */
export async function importFile(
  name: string,
  body: Blob,
  progress: (games: number, broken: number) => void = () => {},
): Promise<void> {
  const { id } = await post("/imports", { name });
  const headers = { "content-type": "application/octet-stream" };
  const asked = setInterval(() => {
    importState(id).then(
      ({ games, broken }) => progress(games, broken),
      () => {},
    );
  }, 500);
  const sent = fetch(`/api/imports/${id}/body`, { method: "PUT", headers, body });
  const answer = await sent.finally(() => clearInterval(asked));
  if (!answer.ok) throw new Error(w.serverError(answer.status));
  const read = (await answer.json()) as Awaited<ReturnType<typeof importState>>;
  if (read.error) throw new Error(told(read.error));
  if (read.games + read.known === 0) throw new Error(w.noGameInText);
  if (read.games + read.known === 1 && read.first) go("game", [read.first]);
  else reopen("library");
  say(w.imported(count(read.games), read.broken, count(read.known)));
}
