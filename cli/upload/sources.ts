/** The files and folders of this machine that paths and patterns name. */
import { trimCharacters } from "@tiphys/base/go/text";
import { isThere } from "@tiphys/base/is_there";
import { isLike } from "@tiphys/service";
import { badInput, CommandError } from "../command_error.ts";

/** The most files and folders that are sent at a time, and the most entries of folders that patterns look at for them. */
const MOST_SOURCES = 10_000;
const MOST_LOOKED_AT = 1_000_000;
const DEEPEST = 128;

/** Any number of folders between, also none. */
const ANY_DEPTH = "**";

/** A file or folder that is meant. */
export interface UploadSource {
  readonly path: string;
  /** The last part of its path. */
  readonly name: string;
  /** Whether a pattern found it: then a link is not followed. */
  readonly isFound: boolean;
}

/**
 * The files and folders that paths and patterns name, each once. In a pattern `*` stands for any letters of one name, also
 * none, and `**` for any folders. What is there under the very name is no pattern; a name that begins with a dot is
 * found by one that does.
 * @throws {CommandError} for what names nothing, or too much.
 */
export function uploadSources(given: readonly string[]): UploadSource[] {
  const sources = new Map<string, UploadSource>();
  const budget = { left: MOST_LOOKED_AT };
  for (const one of given) {
    const found = foundBy(one, budget);
    if (found.length === 0) throw new CommandError(`Nothing is like ${JSON.stringify(one)}`);
    for (const source of found) {
      sources.set(source.path, source);
      if (sources.size > MOST_SOURCES) {
        throw new CommandError(
          `More than ${MOST_SOURCES} files and folders are meant: name the folder that they are in`,
        );
      }
    }
  }
  return [...sources.values()];
}

interface Budget {
  left: number;
}

function foundBy(given: string, budget: Budget): UploadSource[] {
  const trimmed = trimCharacters(given, "/", "right") || given;
  if (isThere(trimmed)) return [{ path: trimmed, name: lastPart(trimmed), isFound: false }];
  if (!given.includes("*")) throw new CommandError(`${given} is not there`);
  const parts = trimmed.split("/");
  if (parts.length > DEEPEST) throw badInput(`A pattern has ${DEEPEST} parts at most`);
  // Only one stands for any depth: several would look at the same folders again and again.
  if (parts.filter((part) => part === ANY_DEPTH).length > 1) {
    throw badInput(`${JSON.stringify(given)}: expected ** once at most`);
  }
  const root = trimmed.startsWith("/") ? "/" : "";
  return [...search(root, root ? parts.slice(1) : parts, budget)].map((path) => ({
    path,
    name: lastPart(path),
    isFound: true,
  }));
}

/** The paths below a folder that are like the parts of a pattern. */
function* search(above: string, parts: readonly string[], budget: Budget): Generator<string> {
  const [part, ...rest] = parts;
  if (part === undefined) return;
  if (part === ANY_DEPTH) {
    yield* search(above, rest.length > 0 ? rest : ["*"], budget);
    yield* folders(above, parts, budget);
  } else if (!part.includes("*")) {
    const path = `${above}${part}`;
    if (rest.length > 0) yield* search(`${path}/`, rest, budget);
    else if (isThere(path)) yield path;
  } else {
    for (const entry of entriesOf(above, budget)) {
      if (!isMeant(entry.name, part)) continue;
      if (rest.length === 0) yield `${above}${entry.name}`;
      else if (entry.isDirectory) yield* search(`${above}${entry.name}/`, rest, budget);
    }
  }
}

/** What is found in the folders of a folder, of any depth; links lead nowhere here. */
function* folders(above: string, parts: readonly string[], budget: Budget): Generator<string> {
  if (above.split("/").length > DEEPEST) throw new CommandError(`${above} is too deep for a pattern`);
  for (const entry of entriesOf(above, budget)) {
    if (entry.isDirectory && isMeant(entry.name, "*")) yield* search(`${above}${entry.name}/`, parts, budget);
  }
}

function isMeant(name: string, pattern: string): boolean {
  return isLike(name, pattern) && (!name.startsWith(".") || pattern.startsWith("."));
}

/** The entries of a folder by name; of what is no folder none. */
function entriesOf(above: string, budget: Budget): Deno.DirEntry[] {
  const entries: Deno.DirEntry[] = [];
  try {
    for (const entry of Deno.readDirSync(above || ".")) {
      if (budget.left-- === 0) throw new CommandError(`A pattern looks at ${MOST_LOOKED_AT} files at most`);
      entries.push(entry);
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
    throw error;
  }
  return entries.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The name that a path is called by: that of the folder itself where it says only how to get there. */
function lastPart(path: string): string {
  const name = path.split("/").at(-1)!;
  if (name !== "" && name !== "." && name !== "..") return name;
  return Deno.realPathSync(path).split("/").at(-1)!;
}
