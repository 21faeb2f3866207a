/** Libraries that both the page and its workers use: each becomes a separate file instead of a part of both. */

/** The package names in imports. */
export const LIBRARIES = ["yaml", "re2js"] as const;

/** Scripts that import libraries as files, and the names that each library file must export. */
export interface LibrarySplit {
  readonly scripts: ReadonlyMap<string, string>;
  /** The imported names of each library. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** An import in the bundler's output. */
const IMPORT = /^import \{([^{}"]*)\} from "([\w-]+)";$/gm;

/** Any form of import. */
const ANY_IMPORT = /\b(?:from|import)[ (]"([\w-]+)"/g;

/**
 * Rewrites imports of libraries in scripts, given by file name, that were bundled without the libraries. The imports of
 * one library are combined into one at the start of the file.
 * @throws {Error} if a script imports a library in an unsupported way.
 */
export function withLibraries(scripts: ReadonlyMap<string, string>, libraries: readonly string[]): LibrarySplit {
  const names = new Map(libraries.map((library) => [library, new Set<string>()]));
  const found = new Map([...scripts].map(([file, text]) => {
    const imported = new Map<string, string[]>();
    const rest = text.replaceAll(IMPORT, (whole, list: string, library: string) => {
      const all = names.get(library);
      if (!all) return whole;
      const parts = list.split(",").map((part) => part.trim()).filter((candidate) => candidate !== "");
      for (const part of parts) all.add(part.split(" as ")[0]!);
      imported.set(library, [...imported.get(library) ?? [], ...parts]);
      return "";
    });
    for (const [, library = ""] of rest.matchAll(ANY_IMPORT)) {
      if (names.has(library)) {
        throw new Error(`${file}: unsupported import of ${library}: expected a list of names`);
      }
    }
    const head = [...imported].map(([library, parts]) => `import { ${parts.join(", ")} } from "./${library}.js";\n`);
    return [file, head.join("") + rest];
  }));
  return { scripts: found, names: new Map([...names].map(([library, all]) => [library, [...all].sort()])) };
}
