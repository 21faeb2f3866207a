/** npm as users run it, with a cache and no network; bounded in time, and gone with all that it started. */

/** The end of a program that was run. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The time that one program may take: on a loaded machine unpacking Deno takes most of a minute. */
const LIMIT_MS = 300_000;

/** Runs a program in a folder to its end; one that takes longer than any that works is killed, and fails. */
export async function runBounded(
  [program = "", ...args]: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = new Deno.Command(program, { args, cwd, env, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  using _limit = limited(child);
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

/** Kills a program that takes longer than any that works. */
export function limited(child: Deno.ChildProcess): Disposable {
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  return { [Symbol.dispose]: () => clearTimeout(limit) };
}

/** Installs a tarball into an empty folder, from npm's cache and without a network. */
export async function installPackage(tarball: string, folder: string, flags: readonly string[] = []): Promise<void> {
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/package.json`, '{"private":true}\n');
  const install = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--no-update-notifier", ...flags, tarball];
  const { code, stdout, stderr } = await runBounded(install, folder);
  if (code !== 0) throw new Error(`npm install ended with ${code}: ${stdout}${stderr}`);
}

/** Whether npm is here, and has this version of Deno in its cache: then it can install our package without a network. */
export async function canInstallOffline(): Promise<boolean> {
  const isThere = await new Deno.Command("npm", { args: ["--version"], stdout: "null", stderr: "null" }).output()
    .then(({ success }) => success, () => false);
  if (!isThere) return false;
  const { stdout } = await runBounded(["npm", "cache", "ls"], "/");
  const { arch, os } = Deno.build;
  const target = `${os}-${arch === "x86_64" ? "x64" : "arm64"}${os === "linux" ? "-glibc" : ""}`;
  const version = Deno.version.deno;
  return stdout.includes(`/deno-${version}.tgz`) && stdout.includes(`/${target}-${version}.tgz`);
}
