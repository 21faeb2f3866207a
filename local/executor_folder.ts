/**
 * The executor as a folder that pods mount instead of its image. It is bundled from the sources when they change, or
 * copied from the bundle next to a bundled program.
 */

import { PATH } from "@tiphys/base/constants";
import { BUNDLE_FLAGS, BUNDLE_VARIABLES, canMakePrograms, EXECUTOR_FLAGS, launcher } from "@tiphys/portable/elf";
import { filePath } from "@tiphys/base/file_path";
import { bundle, copyLibraries, newestChange } from "@tiphys/portable";
import { findMachineGit, layOutMachineGit, machineGitKey } from "./machine_git.ts";

/** The executor image in the pods of the embedded cluster. It names the executor folder. */
export const EMBEDDED_EXECUTOR_IMAGE = "tiphys.local/argoexec:embedded";

const SOURCES = ["executor", "lib"] as const;

/** The executor's program in its folder. Processes that use the folder lock this file. */
const PROGRAM = "bin/argoexec";

/** The folder of the bundled executor, next to the folder of the bundle that contains this file. */
const BUNDLED = "argoexec";

/** Options of an executor folder. */
export interface ExecutorFolderOptions {
  /** The folder of the sources or bundles; by default, those of this program. */
  readonly project?: string;
  /** Search path for git and ssh of this machine, in the form of `PATH`. */
  readonly searchPath?: string;
  readonly onNotice?: (text: string) => void;
}

/** An executor folder that is not removed until this is disposed. */
export interface UsedExecutor extends Disposable {
  readonly folder: string;
}

/** Returns the folder of {@link executorFolder}, locked so that processes of other versions do not remove it. */
export async function useExecutor(cache: string, options: ExecutorFolderOptions = {}): Promise<UsedExecutor> {
  for (;;) {
    const folder = await executorFolder(cache, options);
    const file = await openIfThere(`${folder}/${PROGRAM}`);
    if (!file) continue;
    await file.lock(false);
    // Another process may have removed it before it was locked.
    if (await isSameFile(file, `${folder}/${PROGRAM}`)) return { folder, [Symbol.dispose]: () => file.close() };
    file.close();
  }
}

async function isSameFile(file: Deno.FsFile, path: string): Promise<boolean> {
  const { ino } = await file.stat();
  return await Deno.stat(path).then((info) => info.ino === ino, () => false);
}

/**
 * Returns a folder below `cache` with `bin/argoexec` and `bin/deno`. Creates it if its inputs have changed: a source
 * file or the bundle of `project`, or git and ssh on the `searchPath` of this machine.
 * @throws if there are neither sources nor a bundle, as in a single binary.
 */
export async function executorFolder(cache: string, options: ExecutorFolderOptions = {}): Promise<string> {
  const { project = ownProject(), searchPath = Deno.env.get("PATH") ?? "", onNotice } = options;
  const isBundled = await exists(`${project}/${BUNDLED}/main.js`);
  if (!isBundled && !await exists(`${project}/executor/main.ts`)) {
    throw new Error(
      "The executor is missing: a single binary cannot run pods on this machine. Use the npm package or a clone of the " +
        "repository",
    );
  }
  const made = isBundled ? await digestOf(`${project}/${BUNDLED}`) : await newestChange(`${project}/`, SOURCES);
  const git = await findMachineGit(searchPath, onNotice);
  const folder = `${cache}/executor-${Deno.version.deno}-${made}-${await digest(await machineGitKey(git))}`;
  if (await exists(`${folder}/${PROGRAM}`)) return folder;
  await Deno.mkdir(cache, { recursive: true, mode: 0o700 });
  const making = await Deno.makeTempDir({ dir: cache, prefix: "making-" });
  try {
    await Deno.chmod(making, 0o755);
    if (isBundled) await copyFiles(`${project}/${BUNDLED}`, `${making}/lib/argoexec`);
    else await bundleSources(project, `${making}/lib/argoexec`);
    await Deno.mkdir(`${making}/bin`);
    await linkOrCopy(Deno.execPath(), `${making}/bin/deno`);
    const program = await buildProgram(`${making}/lib`);
    await Deno.writeFile(`${making}/${PROGRAM}`, program, { mode: 0o755 });
    if (git) await layOutMachineGit(making, git, onNotice);
    await removeOldExecutors(cache);
    await Deno.rename(making, folder);
  } catch (error) {
    await Deno.remove(making, { recursive: true });
    // Another process may have created the same folder first.
    if (!await exists(`${folder}/${PROGRAM}`)) throw error;
  }
  return folder;
}

function ownProject(): string {
  const root = new URL("..", import.meta.url);
  if (root.protocol !== "file:") throw new Error("The executor is missing: this program was not loaded from a file");
  return filePath(root).replace(/\/$/, "");
}

async function bundleSources(project: string, outDir: string): Promise<void> {
  await bundle({ root: `${project}/`, entry: "executor/main.ts", outDir, apart: "commands.ts" });
}

async function copyFiles(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
}

/** Returns a digest of the files of a folder. Times do not help: all files of an unpacked package have the same. */
async function digestOf(folder: string): Promise<string> {
  const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  const parts = await Promise.all(names.map(async (name) => {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(`${folder}/${name}`));
    return `${name} ${new Uint8Array(digest).toHex()}\n`;
  }));
  return await digest(parts.join(""));
}

async function digest(text: string): Promise<string> {
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(found).toHex().slice(0, 16);
}

const MODULE = `${PATH.argoBin}/lib/argoexec/main.js`;
const DENO = `${PATH.argoBin}/bin/deno`;

/**
 * Returns the program `argoexec`, which starts in any image, because Deno's loader and libraries are copied to `lib`.
 * If these are missing or the processor is not supported, it is a script, which needs the libraries of the image.
 */
async function buildProgram(lib: string): Promise<Uint8Array<ArrayBuffer>> {
  const loader = canMakePrograms() ? await copyLibraries(Deno.execPath(), lib) : undefined;
  if (loader === undefined) return new TextEncoder().encode(`#!${DENO} -A\nimport ${JSON.stringify(MODULE)};\n`);
  const program = `${PATH.argoBin}/lib/${loader}`;
  const deno = ["deno", "--library-path", `${PATH.argoBin}/lib`, DENO];
  const args = [...deno, "run", ...BUNDLE_FLAGS, ...EXECUTOR_FLAGS, MODULE];
  return launcher({ program, args, variables: BUNDLE_VARIABLES });
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await Deno.link(await Deno.realPath(from), to);
  } catch {
    // Hard links across file systems are not possible.
    await Deno.copyFile(from, to);
  }
}

const DAY_MS = 24 * 3600 * 1000;

/** Removes old executors that no process uses. A recent one may not be locked yet, so it is kept. */
async function removeOldExecutors(cache: string): Promise<void> {
  for await (const { name } of Deno.readDir(cache)) {
    // The cache also contains other files.
    if (!/^(executor|making)-/.test(name)) continue;
    try {
      await removeIfOld(`${cache}/${name}`);
    } catch (error) {
      // Another process may be removing the same folder.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

async function removeIfOld(path: string): Promise<void> {
  const { mtime } = await Deno.stat(path);
  if (Date.now() - (mtime?.getTime() ?? 0) <= DAY_MS) return;
  using program = await openIfThere(`${path}/${PROGRAM}`);
  if (program && !await program.tryLock(true)) return;
  await Deno.remove(path, { recursive: true });
}

async function openIfThere(path: string): Promise<Deno.FsFile | undefined> {
  try {
    return await Deno.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
