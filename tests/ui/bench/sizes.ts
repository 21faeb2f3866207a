/** The sizes of the page's scripts: the compressed size of all files that a view imports. */

/** The bytes that a view loads, compressed with gzip, and the budget. */
export interface Size {
  readonly what: string;
  readonly bytes: number;
  readonly budget: number;
  /** The number of files. */
  readonly files: number;
}

const KB = 1024;

/** Views by their entry points, and the entry points that were loaded before. */
const PLACES = [
  { what: "list of runs", entries: ["main"], before: [], budget: 60 * KB },
  { what: "page of a run, after the list", entries: ["run_page", "graph"], before: ["main"], budget: 60 * KB },
  {
    what: "log of a run, after its page",
    entries: ["logs_tab"],
    before: ["main", "run_page", "graph"],
    budget: 20 * KB,
  },
  { what: "editor, after the list", entries: ["template_page", "manifest_editor"], before: ["main"], budget: 170 * KB },
  {
    what: "help of the editor, after its field",
    entries: ["code_assist"],
    before: ["main", "template_page", "manifest_editor"],
    budget: 50 * KB,
  },
  {
    what: "reasons to wait, if the server reports none, after the page of a run",
    entries: ["explain"],
    before: ["main", "run_page", "graph"],
    budget: 45 * KB,
  },
  { what: "worker that checks manifests", entries: ["lint"], before: [], budget: 270 * KB },
] as const;

/** All files uncompressed, as they are embedded in a program. */
const WHOLE_BUDGET = 2_140 * KB;

/** Measures the page built in a folder. */
export async function sizesOf(folder: string): Promise<Size[]> {
  const packed = new Map<string, number>();
  const imports = new Map<string, readonly string[]>();
  let whole = 0;
  for await (const { name } of Deno.readDir(`${folder}/assets`)) {
    const path = `${folder}/assets/${name}`;
    const { size } = await Deno.stat(path);
    if (name.endsWith(".gz")) {
      packed.set(name.slice(0, -".gz".length), size);
      continue;
    }
    if (name.endsWith(".br")) continue;
    whole += size;
    if (!name.endsWith(".js")) continue;
    const text = await Deno.readTextFile(path);
    imports.set(name, [...text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)].map(([, file]) => file!));
  }
  const loadedBy = (entries: readonly string[]) => {
    const loaded = new Set<string>();
    const visit = (name: string): void => {
      if (loaded.has(name)) return;
      loaded.add(name);
      imports.get(name)?.forEach(visit);
    };
    for (const entry of entries) [...imports.keys()].filter((name) => name.startsWith(`${entry}-`)).forEach(visit);
    return loaded;
  };
  const places = PLACES.map(({ what, entries, before, budget }) => {
    const there = loadedBy(before);
    const own = [...loadedBy(entries)].filter((name) => !there.has(name));
    return { what, budget, bytes: own.reduce((sum, name) => sum + (packed.get(name) ?? 0), 0), files: own.length };
  });
  return [...places, { what: "all files, uncompressed", budget: WHOLE_BUDGET, bytes: whole, files: packed.size }];
}
