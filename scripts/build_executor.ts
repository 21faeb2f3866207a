/** Creates the folders with the contents of the images: Deno, and the programs that it runs. */
import { PATH } from "@tiphys/base/constants";
import { BUNDLE_FLAGS, EXECUTOR_FLAGS } from "@tiphys/portable/elf";
import { filePath } from "@tiphys/base/file_path";
import { bundle, bundleScripts, compileAhead, emptyFolder, SCRIPT_MAIN, SCRIPT_START } from "@tiphys/portable";
import { bundlePage } from "../server/page/bundle_page.ts";
import { addCopyrights, addNotices } from "./image_notices.ts";
import { layOutGit } from "./build_git.ts";
import { outputOf } from "./command.ts";
import { layOutDeno, type ProgramFlags, writeProgram } from "./portable_deno.ts";

const ROOT = filePath(import.meta.resolve("../"));
const ENTRY = "executor/main.ts";

/**
 * The layers of an image: the runtime changes only with Deno's version, the program with every change of the sources.
 */
export interface ImageRoots {
  readonly runtime: string;
  readonly program: string;
  /** git and ssh, which are not read at the start of a container; undefined if this machine does not have them. */
  readonly git?: string;
}

/**
 * Lays out the runtime that all images share: Deno, its libraries, and `/argo-bin`, which is `/` itself in the image.
 */
export async function layOutRuntime(root: string): Promise<void> {
  await emptyFolder(root);
  await layOutDeno(root);
  await addCopyrights(root, [...Deno.readDirSync(`${root}/lib`)].map(({ name }) => `*/${name}`));
  await Deno.symlink(".", `${root}/argo-bin`);
  await Deno.mkdir(`${root}/tmp`);
  await Deno.chmod(`${root}/tmp`, 0o1777);
}

/** The parts of a program that are bundled separately. */
export interface ProgramParts {
  /** Parts of a program that bundles packages for Node, as scripts: see {@link bundleScripts}. */
  readonly scripts?: readonly string[];
  /** Programs of its threads, if it is bundled as scripts. */
  readonly threads?: readonly string[];
  /** A module that is bundled separately: see {@link bundle}. */
  readonly apart?: string;
  /** Whether the program serves the page, whose files are then next to it. */
  readonly hasPage?: boolean;
  /** The folder of the documentation site, which is copied into a program that serves the page. */
  readonly docs?: string | undefined;
}

/**
 * Bundles a program into a folder and returns the path of its start script. Scripts are precompiled if the program runs
 * with these flags of Deno.
 */
export async function bundleProgram(
  folder: string,
  entry: string,
  { scripts, threads, apart, hasPage, docs }: ProgramParts = {},
  flags: readonly string[] = [],
): Promise<string> {
  if (scripts) {
    await bundleScripts({ root: ROOT, entry, outDir: folder, apart: scripts, threads });
    if (hasPage) await bundlePage(ROOT, `${folder}/page`, { withBrotli: true });
    if (hasPage && docs !== undefined) await outputOf(["cp", "-r", `${docs}/.`, `${folder}/docs`]);
    await compileAhead(`${folder}/${SCRIPT_MAIN}`, [...BUNDLE_FLAGS, ...flags]);
    return `${folder}/${SCRIPT_START}`;
  }
  await bundle({ root: ROOT, entry, outDir: folder, apart });
  return `${folder}/main.js`;
}

/** Lays out `bin/NAME`, which runs the bundle of `entry`, optionally with its own Deno flags. */
export async function layOutProgram(
  root: string,
  name: string,
  entry: string,
  parts?: ProgramParts,
  flags?: ProgramFlags,
): Promise<void> {
  await emptyFolder(root);
  await Deno.mkdir(`${root}/bin`, { recursive: true });
  const script = await bundleProgram(`${root}/lib/${name}`, entry, parts, flags?.flags);
  await writeProgram(`${root}/bin/${name}`, script.replace(root, PATH.argoBin), flags);
  await addNotices(root);
}

/** Creates the layers of the executor's image in `folder`; reports missing parts to `warn`. */
export async function buildExecutor(folder: string, warn: (line: string) => void = () => {}): Promise<ImageRoots> {
  const roots = { runtime: `${folder}/runtime`, program: `${folder}/argoexec` };
  await layOutRuntime(roots.runtime);
  await layOutProgram(roots.program, "argoexec", ENTRY, { apart: "commands.ts" }, { flags: EXECUTOR_FLAGS });
  const git = `${folder}/git`;
  const { missing } = await layOutGit(git, roots.runtime);
  if (missing.length === 0) return { ...roots, git };
  warn(`argoexec: without git artifacts, as these are missing here: ${missing.join(" ")}`);
  return roots;
}
