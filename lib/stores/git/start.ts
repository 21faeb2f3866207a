/** Initializes a repository with only its remote. */
import type { Remote } from "./remote.ts";
import { git, type Run } from "./run_git.ts";

/** Creates an empty repository at a path with the remote as origin. */
export async function initRepository(remote: Remote, path: string, run: Run): Promise<void> {
  await Deno.mkdir(path);
  await git(["init", "-q", "--template=", "."], run, "git init");
  await git(["remote", "add", "--", "origin", remote.url], run, "git remote add");
}
