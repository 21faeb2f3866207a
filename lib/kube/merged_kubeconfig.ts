/** Several kubeconfigs as one: the first word counts, of each entry and of the current context, and paths are beside their file. */
import { parse } from "yaml";
import { fieldsOf } from "../fields_of.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The lists of a kubeconfig, and the field that has what an entry says. */
const LISTS = { clusters: "cluster", users: "user", contexts: "context" } as const;

/** Fields that are paths. */
const PATHS: ReadonlySet<string> = new Set(["certificate-authority", "client-certificate", "client-key", "tokenFile"]);

/**
 * Reads the files.
 * @throws {Error} for one that is not there, or is no YAML.
 */
export async function mergedKubeconfig(files: readonly string[]): Promise<Entry> {
  const configs = await Promise.all(
    files.map(async (file) => ({ file, config: fieldsOf(parse(await Deno.readTextFile(file))) })),
  );
  const lists = Object.entries(LISTS).map(([list, field]) => {
    const entries = configs.flatMap(({ file, config }) => entriesOf(config[list], field, file));
    // Of entries of one name the first stays: it is set last.
    return [list, [...new Map(entries.toReversed().map((entry) => [entry.name, entry])).values()]];
  });
  const current = configs.map(({ config }) => config["current-context"]).find(Boolean);
  return { "current-context": current, ...Object.fromEntries(lists) };
}

function entriesOf(list: unknown, field: string, file: string): Entry[] {
  if (!Array.isArray(list)) return [];
  return list.map((one) => {
    const entry = fieldsOf(one);
    return { ...entry, [field]: withPaths(fieldsOf(entry[field]), file) };
  });
}

function withPaths(said: Entry, file: string): Entry {
  const exec = fieldsOf(said.exec);
  const fields = Object.entries(said).map(([name, value]) => [name, PATHS.has(name) ? beside(file, value) : value]);
  // A command without a slash is looked for in PATH.
  const isPath = typeof exec.command === "string" && exec.command.includes("/");
  return { ...Object.fromEntries(fields), ...(isPath && { exec: { ...exec, command: beside(file, exec.command) } }) };
}

function beside(file: string, path: unknown): unknown {
  if (typeof path !== "string" || path === "" || path.startsWith("/")) return path;
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  return `${folder}/${path}`;
}
