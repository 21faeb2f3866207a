/** The executor in its own process, for tests that signal, kill or crash it, or run it as another user. */
import { ENV } from "@tiphys/base/constants";
import type { TestWorld } from "./world.ts";

/** The name, environment and user of the process. */
export interface ProcessOptions {
  readonly container?: string;
  readonly env?: Record<string, string>;
  /** Code that runs first; it may change `world`, the world of the process. */
  readonly before?: string;
  /** The user ID of the process. Default: root. */
  readonly uid?: number;
  /** A command prefix that sets up the surroundings of the process. */
  readonly through?: readonly string[];
}

/** Starts `argoexec ARGS` in the world of a test. */
export async function startProgram(
  world: TestWorld,
  args: readonly string[],
  { container = "main", env = {}, before = "", uid, through = [] }: ProcessOptions = {},
): Promise<Deno.ChildProcess> {
  // In the world's folder, because another user may not be able to read the sources or their cache.
  const script = `${world.root}/${container}.js`;
  await Deno.writeTextFile(script, await bundleProgram(before));
  const [program = "", ...words] = [
    ...through,
    ...[Deno.execPath(), "run", "-A", "--no-config", script, world.root],
    ...args,
  ];
  return new Deno.Command(program, {
    args: words,
    // Another user may not be able to enter the folder of the sources.
    cwd: "/",
    env: { [ENV.containerName]: container, DENO_DIR: "/dev/null", ...env },
    stdout: "null",
    stderr: "null",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  }).spawn();
}

/** The ID of a user without rights. */
export const NOBODY = 65_534;

/** Whether another user can start Deno. Not possible if it is installed below the home of root, as `npx` does. */
export async function canOtherUserStartDeno(): Promise<boolean> {
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

/** The program as one file. Its first argument is the root of its world. */
function bundleProgram(before: string): Promise<string> {
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
    // A fixed folder, because tests of other files change the working directory and remove the old one.
    cwd: new URL("../../", import.meta.url).pathname,
    stdout: "null",
  }).output();
  if (!success) throw new Error(`Could not bundle the program: ${new TextDecoder().decode(stderr)}`);
  const text = await Deno.readTextFile(output);
  await Deno.remove(folder, { recursive: true });
  return text;
}
