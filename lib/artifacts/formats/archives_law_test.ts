/** Property tests of all archive formats, compared with a small model, and with other files around the target. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { untarAt, unzipAt } from "./testing/by_path.ts";
import { listingOf, type RawEntry, rawTar, rawZip } from "./testing/raw_archives.ts";

const word = fc.constantFrom("a", "b", "c", "up", "..", ".", "");
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("/").replace(/\/+$/, "") || "a");
const name = fc.oneof({ weight: 9, arbitrary: path.map((text) => text.replace(/^\//, "")) }, {
  weight: 1,
  arbitrary: path,
});
const mode = fc.constantFrom(0o644, 0o755, 0o777, 0o4755);
// Only root could remove a folder that its owner may not enter.
const folderMode = Deno.uid() === 0 ? fc.constantFrom(0, 0o500, 0o755, 0o1777) : fc.constantFrom(0o700, 0o755);

const entry: fc.Arbitrary<RawEntry> = fc.oneof(
  fc.record({ name, text: fc.constantFrom("", "one", "two"), mode }),
  fc.record({ name, type: fc.constant("folder" as const), mode: folderMode }),
  fc.record({ name, type: fc.constant("link" as const), target: path }),
  fc.record({ name, type: fc.constant("hard link" as const), target: name }),
);

type Node = { readonly kind: "file"; readonly text: string } | { readonly kind: "link"; readonly target: string } | {
  readonly kind: "folder";
};
type Model = Map<string, Node>;

class RefusedError extends Error {}

function words(text: string): string[] {
  return text.split("/").filter((word) => word !== "" && word !== ".");
}

/**
 * Returns the entries of an archive of one file without its absolute name, which zip accepts and other formats reject.
 */
function withoutAbsoluteName(entries: readonly RawEntry[]): readonly RawEntry[] {
  const [only] = entries;
  if (entries.length !== 1 || !only || (only.type ?? "file") !== "file" || only.name.split("/").includes("..")) {
    return entries;
  }
  return [{ ...only, name: only.name.replace(/^\/.*\//, "").replace(/^\//, "") }];
}

/** Returns the tree that an archive should unpack to; undefined when it must be rejected. */
function expected(entries: readonly RawEntry[]): Model | undefined {
  const model: Model = new Map();
  try {
    for (const entry of entries) apply(model, entry);
    for (const [path, node] of model) if (node.kind === "link" && leadsOut(model, path)) throw new RefusedError();
    return model;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

function legal(name: string): string[] {
  const parts = words(name);
  if (name.startsWith("/") || parts.includes("..")) throw new RefusedError();
  return parts;
}

function apply(model: Model, { name, type = "file", text = "", target = "" }: RawEntry): void {
  const parts = legal(name);
  if (parts.length === 0) return;
  for (let depth = 1; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join("/");
    if ((model.get(above)?.kind ?? "folder") !== "folder") throw new RefusedError();
    model.set(above, { kind: "folder" });
  }
  const path = parts.join("/");
  const there = model.get(path)?.kind;
  const put = (node: Node) => {
    if (there === "folder") throw new RefusedError();
    model.set(path, node);
  };
  if (type === "folder") {
    if (there !== undefined && there !== "folder") throw new RefusedError();
    model.set(path, { kind: "folder" });
  } else if (type === "link") {
    let depth = parts.length - 1;
    if (target === "" || target.startsWith("/")) throw new RefusedError();
    for (const word of words(target)) if ((depth += word === ".." ? -1 : 1) < 0) throw new RefusedError();
    put({ kind: "link", target });
  } else if (type === "hard link") {
    const source = legal(target);
    for (let depth = 1; depth < source.length; depth++) {
      if (model.get(source.slice(0, depth).join("/"))?.kind !== "folder") throw new RefusedError();
    }
    if (source.join("/") === path) return;
    const node = model.get(source.join("/"));
    if (node?.kind !== "file") throw new RefusedError();
    put(node);
  } else put({ kind: "file", text });
}

/** Whether a link leads outside, resolved step by step like Linux does. */
function leadsOut(model: Model, path: string): boolean {
  const parts: string[] = [];
  let rest = words(path);
  for (let links = 0; rest.length > 0;) {
    const word = rest.shift()!;
    if (word === "..") {
      if (parts.pop() === undefined) return true;
      continue;
    }
    const node = model.get([...parts, word].join("/"));
    if (node?.kind !== "link") parts.push(word);
    else if (++links > 40) return false;
    else rest = [...words(node.target), ...rest];
  }
  return false;
}

function read(folder: string, below = ""): [string, Node][] {
  return [...Deno.readDirSync(`${folder}/${below}`)].flatMap(({ name }): [string, Node][] => {
    const own = below === "" ? name : `${below}/${name}`;
    const info = Deno.lstatSync(`${folder}/${own}`);
    if (info.isSymlink) return [[own, { kind: "link", target: Deno.readLinkSync(`${folder}/${own}`) }]];
    if (info.isDirectory) return [[own, { kind: "folder" }], ...read(folder, own)];
    return [[own, { kind: "file", text: Deno.readTextFileSync(`${folder}/${own}`) }]];
  });
}

const FORMATS = [
  { format: "tar", write: rawTar, unpack: untarAt, entry, read: (entries: readonly RawEntry[]) => entries },
  {
    format: "zip",
    write: rawZip,
    unpack: unzipAt,
    entry: entry.filter(({ type }) => type !== "hard link"),
    read: withoutAbsoluteName,
  },
];

for (const { format, write, unpack, entry, read: readAs } of FORMATS) {
  Deno.test(`${format}: every archive unpacks to its entries or is rejected, and nothing outside changes`, async () => {
    const base = Deno.makeTempDirSync();
    const archive = await Deno.makeTempFile();
    try {
      for (const above of ["", "/in", "/in/in"]) {
        Deno.mkdirSync(`${base}${above}`, { recursive: true });
        for (const name of ["a", "b"]) Deno.writeTextFileSync(`${base}${above}/${name}`, "untouched");
        Deno.mkdirSync(`${base}${above}/up`, { mode: 0o710 });
      }
      const target = `${base}/in/in/target`;
      const outside = () => listingOf(base).filter((line) => !line.startsWith("/in/in/target"));
      const before = outside();
      Deno.mkdirSync(target);
      await fc.assert(
        fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 8 }), async (entries) => {
          Deno.removeSync(target, { recursive: true });
          Deno.mkdirSync(target);
          await Deno.writeFile(archive, write(entries));
          const error = await unpack(archive, target).then(() => undefined, (error: Error) => error);
          const model = expected(readAs(entries));
          assertEquals(outside(), before);
          assertEquals(error === undefined, model !== undefined, error?.message);
          if (model) assertEquals(new Map(read(target)), new Map(model));
        }),
        { numRuns: 400 },
      );
    } finally {
      Deno.removeSync(base, { recursive: true });
      Deno.removeSync(archive);
    }
  });
}
