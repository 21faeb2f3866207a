/** Runs npm as users do, with its cache and without a network, and kills programs that take too long. */

/** The result of a program. */
export interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Longest duration of a program, in milliseconds. Long, because unpacking Deno can take a minute on a busy machine. */
const LIMIT_MS = 300_000;

/** Runs a program in a folder until it exits. Kills it after `LIMIT_MS`. */
export async function runBounded(
  [program = "", ...args]: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<ProcessResult> {
  const child = new Deno.Command(program, { args, cwd, env, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  using _limit = withTimeLimit(child);
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

/** Kills a process after `LIMIT_MS`, unless disposed before. */
export function withTimeLimit(child: Deno.ChildProcess): Disposable {
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  return { [Symbol.dispose]: () => clearTimeout(limit) };
}

/** Installs a tarball into an empty folder, from npm's cache and without a network. */
export async function installPackage(tarball: string, folder: string, flags: readonly string[] = []): Promise<void> {
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/package.json`, '{"private":true}\n');
  const install = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--no-update-notifier", ...flags, tarball];
  const { code, stdout, stderr } = await runBounded(install, folder);
  if (code !== 0) throw new Error(`npm install exited with ${code}: ${stdout}${stderr}`);
}

/** Whether npm is installed and can install our package without a network: its cache must have this version of Deno. */
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
