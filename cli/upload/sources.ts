/** Finds local files and folders by paths and patterns. */
import { trimCharacters } from "@tiphys/base/go/text";
import { isThere } from "@tiphys/base/is_there";
import { isLike } from "@tiphys/service";
import { badInput, CommandError } from "../command_error.ts";

/** Maximum number of files and folders of an upload. */
const MAX_SOURCES = 10_000;
/** Maximum number of folder entries that patterns may read. */
const MAX_ENTRIES = 1_000_000;
/** Maximum number of nested folders, and of parts of a pattern. */
const MAX_DEPTH = 128;

/** Matches any number of nested folders, including zero. */
const ANY_DEPTH = "**";

/** A file or folder to upload. */
export interface UploadSource {
  readonly path: string;
  /** The last part of its path. */
  readonly name: string;
  /** Whether a pattern found it. Links that a pattern finds are not followed. */
  readonly isFound: boolean;
}

/**
 * Returns the files and folders that match paths and patterns, without duplicates. In a pattern, `*` matches any
 * characters of one name, and `**` any number of nested folders. A text that is an existing path is not a pattern.
 * Names that start with a dot only match patterns that do.
 * @throws {CommandError} for a text that matches nothing, or more than the maximum.
 */
export function uploadSources(values: readonly string[]): UploadSource[] {
  const sources = new Map<string, UploadSource>();
  const budget = { left: MAX_ENTRIES };
  for (const value of values) {
    const found = findSources(value, budget);
    if (found.length === 0) throw new CommandError(`No file or folder matches ${JSON.stringify(value)}`);
    for (const source of found) {
      sources.set(source.path, source);
      if (sources.size > MAX_SOURCES) {
        throw new CommandError(`More than ${MAX_SOURCES} files and folders match: copy their folder instead`);
      }
    }
  }
  return [...sources.values()];
}

interface Budget {
  left: number;
}

function findSources(value: string, budget: Budget): UploadSource[] {
  const trimmed = trimCharacters(value, "/", "right") || value;
  if (isThere(trimmed)) return [{ path: trimmed, name: lastPart(trimmed), isFound: false }];
  if (!value.includes("*")) throw new CommandError(`${value} not found`);
  const parts = trimmed.split("/");
  if (parts.length > MAX_DEPTH) throw badInput(`Expected a pattern of at most ${MAX_DEPTH} parts`);
  // A pattern may contain `**` only once: with several, the same folders would be read repeatedly.
  if (parts.filter((part) => part === ANY_DEPTH).length > 1) {
    throw badInput(`${JSON.stringify(value)}: expected ** at most once`);
  }
  const root = trimmed.startsWith("/") ? "/" : "";
  return [...search(root, root ? parts.slice(1) : parts, budget)].map((path) => ({
    path,
    name: lastPart(path),
    isFound: true,
  }));
}

/** Yields the paths below a folder that match the parts of a pattern. */
function* search(above: string, parts: readonly string[], budget: Budget): Generator<string> {
  const [part, ...rest] = parts;
  if (part === undefined) return;
  if (part === ANY_DEPTH) {
    yield* search(above, rest.length > 0 ? rest : ["*"], budget);
    yield* searchFolders(above, parts, budget);
  } else if (!part.includes("*")) {
    const path = `${above}${part}`;
    if (rest.length > 0) yield* search(`${path}/`, rest, budget);
    else if (isThere(path)) yield path;
  } else {
    for (const entry of entriesOf(above, budget)) {
      if (!matches(entry.name, part)) continue;
      if (rest.length === 0) yield `${above}${entry.name}`;
      else if (entry.isDirectory) yield* search(`${above}${entry.name}/`, rest, budget);
    }
  }
}

/** Yields the paths that match at any depth below a folder. Links are not followed. */
function* searchFolders(above: string, parts: readonly string[], budget: Budget): Generator<string> {
  if (above.split("/").length > MAX_DEPTH) throw new CommandError(`${above} is nested too deeply for a pattern`);
  for (const entry of entriesOf(above, budget)) {
    if (entry.isDirectory && matches(entry.name, "*")) yield* search(`${above}${entry.name}/`, parts, budget);
  }
}

function matches(name: string, pattern: string): boolean {
  return isLike(name, pattern) && (!name.startsWith(".") || pattern.startsWith("."));
}

/** Returns the entries of a folder, sorted by name; empty if it is not a folder. */
function entriesOf(above: string, budget: Budget): Deno.DirEntry[] {
  const entries: Deno.DirEntry[] = [];
  try {
    for (const entry of Deno.readDirSync(above || ".")) {
      if (budget.left-- === 0) throw new CommandError(`A pattern may read at most ${MAX_ENTRIES} files`);
      entries.push(entry);
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
    throw error;
  }
  return entries.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Returns the last part of a path. For `.` and `..` it is the name of the folder. */
function lastPart(path: string): string {
  const name = path.split("/").at(-1)!;
  if (name !== "" && name !== "." && name !== "..") return name;
  return Deno.realPathSync(path).split("/").at(-1)!;
}
