/** The imports between the page's scripts: which files a browser loads before a script runs. */

/** The static imports of a script. */
export function importsIn(script: string): readonly string[] {
  return [...script.matchAll(/(?:from|import) ?"\.\/([\w.-]+\.js)"/g)].map(([, name]) => name!);
}

/** The dynamic imports of a script. */
export function dynamicImportsIn(script: string): readonly string[] {
  return [...script.matchAll(/\bimport\("\.\/([\w.-]+\.js)"\)/g)].map(([, name]) => name!);
}

/** A file and all files that are loaded with it, in import order. */
export function scriptsLoadedWith(name: string, imports: ReadonlyMap<string, readonly string[]>): string[] {
  const loaded = new Set([name]);
  for (const script of loaded) for (const next of imports.get(script) ?? []) loaded.add(next);
  return [...loaded];
}
