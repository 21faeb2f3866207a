/** The pieces of the page's scripts that become one file: those that are always there together. */
import { askedForIn, importsIn, loadedBy } from "./script_imports.ts";

/** The most characters of a piece, with what it brings along, that costs less at the start than a request of its own later. */
const SMALL = 1500;

/**
 * Scripts, by the names of their files, in which each that is asked for while the page runs imports the one that is sure to be
 * there before it. To the bundler what a place needs is then needed by all that is asked for after it: joined once more, it is
 * one file, and not one for each set of places that share something. Small pieces that several places share are imported by
 * the first script. A browser asks for a few files in the place of dozens.
 */
export function withWhatIsThere(scripts: ReadonlyMap<string, string>, first: string): Map<string, string> {
  const imports = new Map([...scripts].map(([file, text]) => [file, importsIn(text)]));
  const before = thereBefore(scripts, imports, first);
  const small = smallPieces(scripts, imports, [...before.keys()], first);
  return new Map([...scripts].map(([file, text]) => {
    const one = before.get(file);
    const added = file === first ? small : one === undefined ? [] : [one];
    return [file, added.map((name) => `import "./${name}";\n`).join("") + text];
  }));
}

/** The small pieces that several of the scripts that are asked for share, and that the first one does not import by itself. */
function smallPieces(
  scripts: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, readonly string[]>,
  asked: readonly string[],
  first: string,
): string[] {
  const there = new Set(loadedBy(first, imports));
  const users = new Map<string, number>();
  for (const one of asked) {
    for (const piece of loadedBy(one, imports).slice(1)) users.set(piece, (users.get(piece) ?? 0) + 1);
  }
  const brought = (piece: string) => loadedBy(piece, imports).filter((one) => !there.has(one));
  const shared = [...users].flatMap(([piece, count]) =>
    count < 2 || there.has(piece) || asked.includes(piece) ? [] : [{ piece, brings: loadedBy(piece, imports).length }]
  );
  const small: string[] = [];
  // Those that bring little along first: what is there by then is brought by no other.
  for (const { piece } of shared.sort((a, b) => a.brings - b.brings || (a.piece < b.piece ? -1 : 1))) {
    const added = brought(piece);
    const size = added.reduce((sum, one) => sum + (scripts.get(one)?.length ?? 0), 0);
    if (size > SMALL) continue;
    small.push(piece);
    for (const one of added) there.add(one);
  }
  return small.sort();
}

/** For each script that is asked for, the last of those that were asked for before it on every way from the first. */
function thereBefore(
  scripts: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, readonly string[]>,
  first: string,
): Map<string, string> {
  const askers = new Map<string, string[]>();
  const ways = new Map([[first, new Set([first])]]);
  // A set grows while it is gone through: whatever is asked for asks in its turn.
  const asking = new Set([first]);
  for (const one of asking) {
    for (const asked of loadedBy(one, imports).flatMap((file) => askedForIn(scripts.get(file) ?? ""))) {
      if (asked === first) continue;
      asking.add(asked);
      askers.set(asked, [...askers.get(asked) ?? [], one]);
    }
  }
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const [asked, by] of askers) {
      // An asker that no way is known of yet says nothing.
      const known = by.flatMap((one) => ways.get(one) ?? []);
      const shared = known.reduce((all, one) => all.intersection(one));
      const way = shared.union(new Set([asked]));
      isNew ||= way.size !== ways.get(asked)?.size;
      ways.set(asked, way);
    }
  }
  return new Map([...askers.keys()].map((asked) => {
    const others = [...ways.get(asked)!].filter((one) => one !== asked);
    return [asked, others.reduce((last, one) => ways.get(one)!.size > ways.get(last)!.size ? one : last)];
  }));
}
