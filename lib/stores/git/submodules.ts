/**
 * Fetches submodules recursively. Each is fetched like a separate repository, with credentials only for its own host.
 */
import { StoreError } from "@tiphys/model/artifact";
import { type Access, fieldError } from "./access.ts";
import { type Remote, submoduleRemote } from "./remote.ts";
import { git, type Run } from "./run_git.ts";
import { initRepository } from "./start.ts";

/** Maximum depth of nested submodules. */
export const MAX_SUBMODULE_DEPTH = 10;

/** A repository that may have submodules. */
export interface Parent {
  readonly access: Access;
  readonly remote: Remote;
  readonly path: string;
  readonly stop: AbortSignal;
}

/** Fetches the submodules of the checkout at a path. */
export async function fetchSubmodules(parent: Parent, depth = 1): Promise<void> {
  const { access, remote, path, stop } = parent;
  const run: Run = { environment: await access.environment(remote), stop, folder: path };
  const links = await commitsOf(run);
  if (links.size === 0) return;
  for (const { path: below, url } of await readModules(run)) {
    const commit = links.get(below);
    if (commit === undefined) continue;
    if (depth > MAX_SUBMODULE_DEPTH) {
      throw fieldError(`submodules of submodules are fetched ${MAX_SUBMODULE_DEPTH} deep, and ${below} is deeper`);
    }
    const from = submoduleRemote(remote, url);
    const to = await createModuleFolder(path, below);
    await fetchCommit({ access, remote: from, path: to, stop }, commit, below);
    await fetchSubmodules({ access, remote: from, path: to, stop }, depth + 1);
  }
}

/** Returns the commits of submodules in the tree, by path. */
async function commitsOf(run: Run): Promise<Map<string, string>> {
  const text = await git(["ls-files", "--stage", "-z"], run, "git ls-files");
  const links = new Map<string, string>();
  for (const line of text.split("\0")) {
    const found = /^160000 ([0-9a-f]+) \d\t([^]+)$/.exec(line);
    if (found) links.set(found[2]!, found[1]!);
  }
  return links;
}

async function readModules(run: Run): Promise<{ readonly path: string; readonly url: string }[]> {
  const file = await Deno.lstat(`${run.folder}/.gitmodules`).catch(() => undefined);
  if (!file?.isFile) return [];
  const text = await git(["config", "-z", "-f", ".gitmodules", "--list"], run, "reading .gitmodules");
  const modules = new Map<string, { path?: string; url?: string }>();
  for (const entry of text.split("\0")) {
    const [, name, field, value] = /^submodule\.([^]*)\.(path|url)\n([^]*)$/.exec(entry) ?? [];
    if (name === undefined || value === undefined) continue;
    modules.set(name, { ...modules.get(name), [field!]: value });
  }
  return [...modules.values()].flatMap(({ path, url }) => path && url ? [{ path, url }] : []);
}

/** Creates the folder of a submodule, if needed. No link may lead out of its parent. */
async function createModuleFolder(root: string, below: string): Promise<string> {
  const parts = below.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git")) {
    throw fieldError(`the submodule ${JSON.stringify(below)} has a path that is not allowed`);
  }
  let folder = root;
  for (const part of parts) {
    folder += `/${part}`;
    const found = await Deno.lstat(folder).catch(() => undefined);
    if (found && !found.isDirectory) {
      throw fieldError(`the submodule ${JSON.stringify(below)} is below a link or a file`);
    }
    if (!found) await Deno.mkdir(folder);
  }
  await Deno.remove(folder, { recursive: true });
  return folder;
}

async function fetchCommit({ access, remote, path, stop }: Parent, commit: string, below: string): Promise<void> {
  const run: Run = { environment: await access.environment(remote), stop, folder: path };
  const what = `git fetch ${remote.url} for the submodule ${below}`;
  await initRepository(remote, path, run);
  try {
    await git(["fetch", "-q", "--", "origin", commit], run, what);
  } catch (error) {
    stop.throwIfAborted();
    // Older servers do not provide commits that are not at the end of a branch.
    if (!(error instanceof StoreError) || error.kind !== "missing" && error.kind !== "final") throw error;
    await git(["fetch", "-q", "--tags", "--", "origin", "+refs/heads/*:refs/remotes/origin/*"], run, what);
  }
  await git(["checkout", "-q", "--detach", commit, "--"], run, `git checkout of the submodule ${below}`);
}
