// Two versions of one game that were made from the same third, as one: what was changed in either is in it. Where both
// changed the same thing there is none.

import type { WritePgnRequest } from "./api";

type Annotated = Exclude<NonNullable<WritePgnRequest["moves"]>[number], string>;

/** The moves by their ways from the start. */
function byWay(game: WritePgnRequest): Map<string, Annotated> {
  const ways = [""];
  const found = new Map<string, Annotated>();
  for (const written of game.moves ?? []) {
    const move = typeof written === "string" ? { move: written } : written;
    const way = `${ways[move.after ?? ways.length - 1]} ${move.move}`;
    ways.push(way);
    found.set(way, move);
  }
  return found;
}

/** A value as it is compared: nothing can be written in several ways. */
function plain(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    ? ""
    : JSON.stringify(value);
}

class Conflict extends Error {}

/** Of a value the version that was changed. */
function changed<T>(base: T, mine: T, theirs: T): T {
  if (plain(mine) === plain(base) || plain(mine) === plain(theirs)) return theirs;
  if (plain(theirs) === plain(base)) return mine;
  throw new Conflict();
}

/** Of several values, by their names, those that were changed. */
function allChanged<T extends object>(base: T | undefined, mine: T, theirs: T): T {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]) as Set<keyof T>;
  const found: Partial<T> = {};
  for (const name of names) {
    const value = changed(base?.[name], mine[name], theirs[name]);
    if (value !== undefined) found[name] = value;
  }
  return found as T;
}

/** Whether nothing was taken away from a game, and nothing put elsewhere. */
function onlyAdds(before: Map<string, unknown>, now: Map<string, unknown>): boolean {
  const left = [...now.keys()].filter(way => before.has(way));
  return left.join() === [...before.keys()].join();
}

/** The values that say something, in an order of their own. */
function told(values: object | null | undefined): string[][] {
  const all = Object.entries(values ?? {}).map(([name, value]) => [name, plain(value)]);
  return all.filter(([name, value]) => value && name !== "after").sort();
}

/** Whether two versions say the same. */
export function isSame(one: WritePgnRequest, other: WritePgnRequest): boolean {
  const whole = (game: WritePgnRequest) => {
    const moves = [...byWay(game)].map(([way, move]) => [way, told(move)]);
    return JSON.stringify([told({ ...game, tags: null, moves: null }), told(game.tags), moves]);
  };
  return whole(one) === whole(other);
}

/** The game with what was changed in both versions; undefined if they contradict each other. */
export function merge(
  base: WritePgnRequest,
  mine: WritePgnRequest,
  theirs: WritePgnRequest,
): WritePgnRequest | undefined {
  const [before, own, other] = [byWay(base), byWay(mine), byWay(theirs)];
  if (plain(mine.fen) !== plain(theirs.fen) || !onlyAdds(before, own) || !onlyAdds(before, other)) return undefined;
  try {
    const numbers = new Map([["", 0]]);
    const moves: Annotated[] = [];
    const add = (way: string, move: Annotated) => {
      const after = numbers.get(way.slice(0, way.lastIndexOf(" ")));
      numbers.set(way, moves.push({ ...move, after }));
    };
    // The number of the move before is another one in each version, and is no change.
    const still = (move: Annotated) => ({ ...move, after: undefined });
    for (const [way, theirMove] of other) {
      const [first, ownMove] = [before.get(way), own.get(way)];
      add(way, ownMove ? allChanged(first && still(first), still(ownMove), still(theirMove)) : theirMove);
    }
    for (const [way, move] of own) if (!other.has(way)) add(way, move);
    return {
      fen: theirs.fen,
      moves,
      tags: allChanged(base.tags ?? {}, mine.tags ?? {}, theirs.tags ?? {}),
      result: changed(base.result, mine.result, theirs.result),
      comment: changed(base.comment, mine.comment, theirs.comment),
    };
  } catch (error) {
    if (error instanceof Conflict) return undefined;
    throw error;
  }
}
