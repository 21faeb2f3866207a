/** Short names between the page's scripts: the bundler leaves the long ones by which a piece is imported, in both files. */

/** The imports at the head of a script, and what it exports at its end, as the minifier writes them. */
const HEAD = /^(?:import(?:\{[^{}"]*\}from)?"\.\/[\w.-]+";)+/;
const IMPORT = /import\{([^{}"]*)\}from"\.\/([\w.-]+\.js)"/g;
const EXPORT = /export\{([^{}"]*)\};\s*$/;
const ASKED_FOR = /\bimport\("\.\/([\w.-]+\.js)"\)/g;

/**
 * Scripts, by the names of their files, in which a piece exports things by the names that they have within it. What is asked
 * for while the page runs keeps its names: who asks, knows them.
 * @throws {Error} where a script imports what no other exports.
 */
export function withShortNames(scripts: ReadonlyMap<string, string>): Map<string, string> {
  const texts = [...scripts.values()];
  const asked = new Set(texts.flatMap((text) => [...text.matchAll(ASKED_FOR)].map(([, file]) => file)));
  const pieces = new Map([...scripts].flatMap(([file, text]) => {
    const [, names] = EXPORT.exec(text) ?? [];
    return names === undefined || asked.has(file) ? [] : [[file, new Map(pairsIn(names))] as const];
  }));
  return new Map([...scripts].map(([file, text]) => {
    const own = pieces.get(file);
    const short = text.replace(HEAD, (head) =>
      head.replaceAll(IMPORT, (whole, names: string, from: string) => {
        const exported = pieces.get(from);
        return exported ? `import{${shortened(file, names, exported)}}from"./${from}"` : whole;
      }));
    return [file, own ? short.replace(EXPORT, () => `export{${[...new Set(own.values())].join(",")}};\n`) : short];
  }));
}

function shortened(file: string, names: string, exported: ReadonlyMap<string, string>): string {
  return names.split(",").map((one) => {
    const [name = "", local = name] = one.split(" as ");
    const short = exported.get(name);
    if (short === undefined) throw new Error(`Expected a script that exports ${name}, which ${file} imports`);
    return short === local ? local : `${short} as ${local}`;
  }).join(",");
}

/** The names by which others import, each with the name within the script: `a as start,b` in `export{a as start,b}`. */
function pairsIn(names: string): [name: string, local: string][] {
  return names.split(",").map((one) => {
    const [local = "", name = local] = one.split(" as ");
    return [name, local];
  });
}
