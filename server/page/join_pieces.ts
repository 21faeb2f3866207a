/** The pieces of the page's scripts that become one file: those that are always there together. */
import { loadedBy } from "./script_imports.ts";

/** What a script as the bundler writes it imports before it runs, and what it asks for while it does. */
const IMPORTS = /(?:from|import) ?"\.\/([\w.-]+\.js)"/g;
const ASKS = /\bimport\("\.\/([\w.-]+\.js)"\)/g;

/**
 * Scripts, by the names of their files, in which each that is asked for while the page runs imports the one that is sure to be
 * there before it. To the bundler what a place needs is then needed by all that is asked for after it: joined once more, it is
 * one file, and not one for each set of places that share something. A browser asks for a few files in the place of dozens.
 */
export function withWhatIsThere(scripts: ReadonlyMap<string, string>, first: string): Map<string, string> {
  const before = thereBefore(scripts, first);
  return new Map([...scripts].map(([file, text]) => {
    const one = before.get(file);
    return [file, one === undefined ? text : `import "./${one}";\n${text}`];
  }));
}

/** For each script that is asked for, the last of those that were asked for before it on every way from the first. */
function thereBefore(scripts: ReadonlyMap<string, string>, first: string): Map<string, string> {
  const imports = new Map([...scripts].map(([file, text]) => [file, namesIn(text, IMPORTS)]));
  const askers = new Map<string, string[]>();
  const ways = new Map([[first, new Set([first])]]);
  // A set grows while it is gone through: whatever is asked for asks in its turn.
  const asking = new Set([first]);
  for (const one of asking) {
    for (const asked of loadedBy(one, imports).flatMap((file) => namesIn(scripts.get(file) ?? "", ASKS))) {
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

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name!);
}
