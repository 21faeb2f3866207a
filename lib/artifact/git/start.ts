/** A repository at its beginning: nothing in it but where it comes from. */
import type { Remote } from "./remote.ts";
import { git, type Run } from "./run_git.ts";

/** Makes a repository without content at a path, whose origin is the remote. */
export async function start(remote: Remote, path: string, run: Run): Promise<void> {
  await Deno.mkdir(path);
  await git(["init", "-q", "--template=", "."], run, "git init");
  await git(["remote", "add", "--", "origin", remote.url], run, "git remote add");
}
