/** Checks a repository out into a folder: fetches it with the requested depth, at its revision, with its submodules. */
import { StoreError } from "@tiphys/model/artifact";
import { type Access, type AccessSettings, fieldError } from "./access.ts";
import type { Remote } from "./remote.ts";
import { git, type Run } from "./run_git.ts";
import { initRepository } from "./start.ts";
import { fetchSubmodules } from "./submodules.ts";

/** The fields of a `git` artifact. */
export interface GitSettings extends AccessSettings {
  readonly revision?: string;
  readonly depth?: number;
  readonly fetch?: readonly string[];
  readonly disableSubmodules?: boolean;
  readonly singleBranch?: boolean;
  readonly branch?: string;
}

/** The arguments of a checkout. */
export interface Checkout {
  readonly settings: GitSettings;
  readonly access: Access;
  /** The folder to fill. It does not exist yet, or contains the remains of an earlier attempt. */
  readonly path: string;
  readonly stop: AbortSignal;
}

/** @throws {StoreError} `final` when fields contradict each other, or a value would be parsed as an option. */
export function validateSettings({ repo, revision, branch, singleBranch, fetch = [], depth }: GitSettings): void {
  if (typeof repo !== "string" || repo === "") throw fieldError("repo is required");
  if (singleBranch && !branch) throw new StoreError("single branch mode without a branch specified", "final");
  if (depth !== undefined && (!Number.isSafeInteger(depth) || depth < 0)) {
    throw fieldError("depth must be a whole number, 0 or more");
  }
  for (const [name, value] of [["revision", revision], ["branch", branch], ...fetch.map((spec) => ["fetch", spec])]) {
    if (/^-|[\0-\x20\x7f]/.test(value ?? "")) {
      throw fieldError(`${name} may neither begin with a dash nor have a space in it`);
    }
  }
}

/** Checks a repository out into its folder. */
export async function checkout({ settings, access, path, stop }: Checkout): Promise<void> {
  const { remote } = access;
  await Deno.remove(path, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const run: Run = { environment: await access.environment(remote), stop, folder: path };
  await initRepository(remote, path, run);
  const { isEmpty, head } = await remoteHead(remote, run);
  if (isEmpty) {
    return await git(["symbolic-ref", "HEAD", `refs/heads/${settings.revision || "master"}`], run, "git init").then(
      () => {},
    );
  }
  const wanted = await fetchRevision(remote, settings, head, run);
  if (wanted.branch) await git(["checkout", "-q", "-B", wanted.branch, wanted.commit, "--"], run, "git checkout");
  else await git(["checkout", "-q", "--detach", wanted.commit, "--"], run, "git checkout");
  if (!settings.disableSubmodules) await fetchSubmodules({ access, remote, path, stop });
}

/** Returns whether the repository is empty, and its default branch. */
async function remoteHead(remote: Remote, run: Run): Promise<{ readonly isEmpty: boolean; readonly head?: string }> {
  const what = `git ls-remote ${remote.url}`;
  const text = await git(["ls-remote", "--symref", "origin", "HEAD", "refs/heads/*", "refs/tags/*"], run, what);
  const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(text)?.[1];
  return { isEmpty: text.trim() === "", ...head ? { head } : {} };
}

interface TargetRevision {
  readonly commit: string;
  /** The local branch to check out; undefined for a commit. */
  readonly branch?: string;
}

async function fetchRevision(
  remote: Remote,
  settings: GitSettings,
  head: string | undefined,
  run: Run,
): Promise<TargetRevision> {
  const { revision, depth, singleBranch, branch, fetch = [] } = settings;
  const shallow = depth ? [`--depth=${depth}`] : [];
  const branches = singleBranch
    ? `+refs/heads/${branch}:refs/remotes/origin/${branch}`
    : "+refs/heads/*:refs/remotes/origin/*";
  const what = `git fetch ${remote.url}`;
  if (singleBranch) await git(["config", "remote.origin.fetch", branches], run, "git config");
  const fetchAll = (options: readonly string[]) =>
    git(["fetch", "-q", ...options, ...singleBranch ? [] : ["--tags"], "--", "origin", branches], run, what);
  const fetchMore = () => fetch.length > 0 ? git(["fetch", "-q", ...shallow, "--", "origin", ...fetch], run, what) : "";
  if (!revision) {
    await fetchAll(shallow);
    await fetchMore();
    const name = singleBranch ? branch! : head;
    const commit = name ? await resolveCommit([`refs/remotes/origin/${name}`], run) : undefined;
    if (!commit || !name) throw new StoreError(`${what} failed: the repository has no branch to check out`, "missing");
    return { commit, branch: name };
  }
  // Fetches only the revision, if the server permits it.
  const alone = depth && !singleBranch ? await fetchSingleCommit(revision, shallow, run, what) : undefined;
  if (!alone) await fetchAll(singleBranch ? shallow : []);
  await fetchMore();
  const commit = alone ?? await resolveCommit(namesOf(revision), run) ??
    await fetchSingleCommit(revision, [], run, what) ??
    (shallow.length > 0 ? await deepenHistory(fetchAll, revision, run) : undefined);
  if (commit) return { commit };
  throw new StoreError(`git: the repository ${remote.url} has no revision ${revision}`, "missing");
}

async function deepenHistory(
  fetchAll: (options: readonly string[]) => Promise<string>,
  revision: string,
  run: Run,
): Promise<string | undefined> {
  await fetchAll(["--unshallow"]);
  return await resolveCommit(namesOf(revision), run);
}

/** Returns the refs that a revision may mean, in git's order. */
function namesOf(revision: string): string[] {
  return [`refs/tags/${revision}`, `refs/heads/${revision}`, `refs/remotes/origin/${revision}`, revision];
}

async function resolveCommit(names: readonly string[], run: Run): Promise<string | undefined> {
  for (const name of names) {
    try {
      const text = await git(
        ["rev-parse", "--verify", "-q", "--end-of-options", `${name}^{commit}`],
        run,
        "git rev-parse",
      );
      return text.trim().split("\n").at(-1);
    } catch (error) {
      run.stop.throwIfAborted();
      if (!(error instanceof StoreError)) throw error;
    }
  }
  return undefined;
}

/** Returns the commit of a revision, fetched without other history; undefined if the server does not permit it. */
async function fetchSingleCommit(
  revision: string,
  options: readonly string[],
  run: Run,
  operation: string,
): Promise<string | undefined> {
  for (const name of [`refs/tags/${revision}`, `refs/heads/${revision}`, revision]) {
    if (name === revision && !/^(refs\/.+|[0-9a-f]{40}|[0-9a-f]{64}|HEAD)$/.test(revision)) continue;
    try {
      await git(["fetch", "-q", "--no-tags", ...options, "--", "origin", name], run, operation);
      return await resolveCommit(["FETCH_HEAD"], run);
    } catch (error) {
      run.stop.throwIfAborted();
      if (!(error instanceof StoreError) || error.kind === "transient" || error.kind === "forbidden") throw error;
    }
  }
  return undefined;
}
