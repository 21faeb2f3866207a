/** The executor in a process of its own, for tests that signal it, kill it, break it, or run it as somebody else. */
import { ENV } from "../../lib/constants.ts";
import type { TestWorld } from "./world.ts";

/** The container that the process stands for, its environment, and its user. */
export interface ProcessOptions {
  readonly container?: string;
  readonly env?: Record<string, string>;
  /** Code that runs first; `world` is the process's world, which may be changed. */
  readonly before?: string;
  /** The user ID of the process; root's when left out. */
  readonly uid?: number;
  /** Words in front of the command, which see to its surroundings. */
  readonly through?: readonly string[];
}

/** Starts `argoexec ARGS` in a test's world. */
export async function startProgram(
  world: TestWorld,
  args: readonly string[],
  { container = "main", env = {}, before = "", uid, through = [] }: ProcessOptions = {},
): Promise<Deno.ChildProcess> {
  // In the world's own folder: another user may not read the sources, nor their cache.
  const script = `${world.root}/${container}.js`;
  await Deno.writeTextFile(script, await bundled(before));
  const [program = "", ...words] = [
    ...through,
    ...[Deno.execPath(), "run", "-A", "--no-config", script, world.root],
    ...args,
  ];
  return new Deno.Command(program, {
    args: words,
    // Another user may not enter the folder of the sources either.
    cwd: "/",
    env: { [ENV.containerName]: container, DENO_DIR: "/dev/null", ...env },
    stdout: "null",
    stderr: "null",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  }).spawn();
}

/** The ID of a user who has no rights. */
export const NOBODY = 65_534;

/** Whether another user than this one can start Deno: not where it lies below the home of root, as `npx` puts it there. */
export async function canNobodyStartDeno(): Promise<boolean> {
  if (Deno.uid() !== 0) return false;
  const who = { uid: NOBODY, gid: NOBODY, stdout: "null", stderr: "null" } as const;
  try {
    return (await new Deno.Command(Deno.execPath(), { args: ["--version"], cwd: "/", ...who }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

const bundles = new Map<string, Promise<string>>();

/** The program as one file; its first argument is the root of its world. */
function bundled(before: string): Promise<string> {
  const known = bundles.get(before) ?? bundle(before);
  bundles.set(before, known);
  return known;
}

async function bundle(before: string): Promise<string> {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const folder = await Deno.makeTempDir();
  const source = `${folder}/program.ts`;
  await Deno.writeTextFile(
    source,
    `import { runProgram } from ${url("../program.ts")};
     import { realWorld } from ${url("../world.ts")};
     const [root, ...args] = Deno.args;
     const world = { ...realWorld, root };
     ${before}
     Deno.exit(await runProgram(world, args));`,
  );
  const output = `${folder}/program.js`;
  const bundling = ["bundle", "--quiet", "--platform=deno", `--output=${output}`, source];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: bundling,
    // Not where the process stands: tests of other files move it, and remove that folder.
    cwd: new URL("../../", import.meta.url).pathname,
    stdout: "null",
  }).output();
  if (!success) throw new Error(`Could not bundle the program: ${new TextDecoder().decode(stderr)}`);
  const text = await Deno.readTextFile(output);
  await Deno.remove(folder, { recursive: true });
  return text;
}
