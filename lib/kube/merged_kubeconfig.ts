/**
 * Merging of kubeconfigs: the first file with an entry or a current context wins; relative paths are resolved against
 * their file.
 */
import { type Fields, fieldsOf } from "@tiphys/base/fields_of";
import { readKubeconfig } from "./read_kubeconfig.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The lists of a kubeconfig, and the field with the content of an entry. */
const LISTS = { clusters: "cluster", users: "user", contexts: "context" } as const;

/** Fields that are paths. */
const PATHS: ReadonlySet<string> = new Set(["certificate-authority", "client-certificate", "client-key", "tokenFile"]);

/**
 * Reads and merges the files.
 * @throws {Error} for a file that cannot be read or is not valid YAML.
 */
export async function mergedKubeconfig(files: readonly string[]): Promise<Entry> {
  // One after the other, so that the first file with an error is the one that is reported.
  const configs: { readonly file: string; readonly config: Readonly<Fields> }[] = [];
  for (const file of files) configs.push({ file, config: await readKubeconfig(file) });
  const lists = Object.entries(LISTS).map(([list, field]) => {
    const entries = configs.flatMap(({ file, config }) => entriesOf(config[list], field, file));
    return [list, [...Map.groupBy(entries, ({ name }) => name).values()].map(([first]) => first)];
  });
  const current = configs.map(({ config }) => config["current-context"]).find(Boolean);
  return { "current-context": current, ...Object.fromEntries(lists) };
}

function entriesOf(list: unknown, field: string, file: string): Entry[] {
  if (!Array.isArray(list)) return [];
  return list.map((listed) => {
    const entry = fieldsOf(listed);
    return { ...entry, [field]: withPaths(fieldsOf(entry[field]), file) };
  });
}

function withPaths(entry: Entry, file: string): Entry {
  const exec = fieldsOf(entry.exec);
  const fields = Object.entries(entry).map((
    [name, value],
  ) => [name, PATHS.has(name) ? resolvePath(file, value) : value]);
  // A command without a slash is searched in PATH.
  const isPath = typeof exec.command === "string" && exec.command.includes("/");
  return {
    ...Object.fromEntries(fields),
    ...(isPath && { exec: { ...exec, command: resolvePath(file, exec.command) } }),
  };
}

function resolvePath(file: string, path: unknown): unknown {
  if (typeof path !== "string" || path === "" || path.startsWith("/")) return path;
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  return `${folder}/${path}`;
}
