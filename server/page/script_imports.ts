/** The imports of the page's scripts: what a browser loads with a file before the file runs. */

/** The files that a script imports before it runs. */
export function importsIn(script: string): readonly string[] {
  return [...script.matchAll(/(?:from|import) ?"\.\/([\w.-]+\.js)"/g)].map(([, name]) => name!);
}

/** The files that a script asks for while it runs. */
export function askedForIn(script: string): readonly string[] {
  return [...script.matchAll(/\bimport\("\.\/([\w.-]+\.js)"\)/g)].map(([, name]) => name!);
}

/** A file and all that is loaded with it, in the order in which they are named. */
export function loadedBy(name: string, imports: ReadonlyMap<string, readonly string[]>): string[] {
  const loaded = new Set([name]);
  for (const one of loaded) for (const next of imports.get(one) ?? []) loaded.add(next);
  return [...loaded];
}
