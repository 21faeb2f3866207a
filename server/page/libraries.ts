/** Libraries that the page and its threads both use: each is a file of its own, and not a part of both. */

/** The names of the packages, as the sources import them. */
export const LIBRARIES = ["yaml", "re2js"] as const;

/** Scripts that import their libraries as files, and what each of these must export. */
export interface WithLibraries {
  readonly scripts: ReadonlyMap<string, string>;
  /** The names that are imported of each library. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** An import as the bundler writes it. */
const IMPORT = /^import \{([^{}"]*)\} from "([\w-]+)";$/gm;

/** Any way to import one. */
const ANY_IMPORT = /\b(?:from|import)[ (]"([\w-]+)"/g;

/**
 * Scripts, by the names of their files, as the bundler leaves them when it is told not to join the libraries. The imports of
 * one library, which stand where its users stood, become one at the head.
 * @throws {Error} where a script imports a library in another way.
 */
export function withLibraries(scripts: ReadonlyMap<string, string>, libraries: readonly string[]): WithLibraries {
  const names = new Map(libraries.map((library) => [library, new Set<string>()]));
  const found = new Map([...scripts].map(([file, text]) => {
    const imported = new Map<string, string[]>();
    const rest = text.replaceAll(IMPORT, (whole, list: string, library: string) => {
      const all = names.get(library);
      if (!all) return whole;
      const parts = list.split(",").map((one) => one.trim()).filter((one) => one !== "");
      for (const part of parts) all.add(part.split(" as ")[0]!);
      imported.set(library, [...imported.get(library) ?? [], ...parts]);
      return "";
    });
    for (const [, library = ""] of rest.matchAll(ANY_IMPORT)) {
      if (names.has(library)) {
        throw new Error(`Expected ${file} to import names of ${library}, it does so in another way`);
      }
    }
    const head = [...imported].map(([library, parts]) => `import { ${parts.join(", ")} } from "./${library}.js";\n`);
    return [file, head.join("") + rest];
  }));
  return { scripts: found, names: new Map([...names].map(([library, all]) => [library, [...all].sort()])) };
}
