/** Shortens the names that the page's scripts import from each other: the bundler keeps the long ones in both files. */

/** The imports at the start of a minified script, and the exports at its end. */
const HEAD = /^(?:import(?:\{[^{}"]*\}from)?"\.\/[\w.-]+";)+/;
const IMPORT = /import\{([^{}"]*)\}from"\.\/([\w.-]+\.js)"/g;
const EXPORT = /export\{([^{}"]*)\};\s*$/;
const DYNAMIC_IMPORT = /\bimport\("\.\/([\w.-]+\.js)"\)/g;

/**
 * Rewrites scripts, given by file name, so that pieces export their local names. Dynamically imported scripts keep
 * their export names, since the importing code refers to them.
 * @throws {Error} if a script imports a name that no other script exports.
 */
export function withShortNames(scripts: ReadonlyMap<string, string>): Map<string, string> {
  const texts = [...scripts.values()];
  const dynamic = new Set(texts.flatMap((text) => [...text.matchAll(DYNAMIC_IMPORT)].map(([, file]) => file)));
  const pieces = new Map([...scripts].flatMap(([file, text]) => {
    const [, names] = EXPORT.exec(text) ?? [];
    return names === undefined || dynamic.has(file) ? [] : [[file, new Map(pairsIn(names))] as const];
  }));
  return new Map([...scripts].map(([file, text]) => {
    const own = pieces.get(file);
    const short = text.replace(HEAD, (head) =>
      head.replaceAll(IMPORT, (whole, names: string, from: string) => {
        const exported = pieces.get(from);
        return exported ? `import{${withShortImports(file, names, exported)}}from"./${from}"` : whole;
      }));
    return [file, own ? short.replace(EXPORT, () => `export{${[...new Set(own.values())].join(",")}};\n`) : short];
  }));
}

function withShortImports(file: string, names: string, exported: ReadonlyMap<string, string>): string {
  return names.split(",").map((clause) => {
    const [name = "", local = name] = clause.split(" as ");
    const short = exported.get(name);
    if (short === undefined) throw new Error(`${file}: no script exports the imported name ${name}`);
    return short === local ? local : `${short} as ${local}`;
  }).join(",");
}

/** The exported names with the local names: `a as start,b` in `export{a as start,b}`. */
function pairsIn(names: string): [name: string, local: string][] {
  return names.split(",").map((clause) => {
    const [local = "", name = local] = clause.split(" as ");
    return [name, local];
  });
}
