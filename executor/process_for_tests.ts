/** The executor in a process of its own, for tests that signal it, kill it, break it, or run it as somebody else. */
import { ENV } from "../lib/constants.ts";
import type { TestWorld } from "./world_for_tests.ts";

/** What is special about the process. */
export interface ProcessOptions {
  readonly container?: string;
  readonly env?: Record<string, string>;
  /** Code that runs first; `world` is the process's world, which may be changed. */
  readonly before?: string;
  /** Whose process it is; root's when left out. */
  readonly uid?: number;
}

/** Starts `argoexec ARGS` in a test's world. */
export async function startProgram(
  world: TestWorld,
  args: readonly string[],
  { container = "main", env = {}, before = "", uid }: ProcessOptions = {},
): Promise<Deno.ChildProcess> {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const source = `${world.root}/program.ts`;
  await Deno.writeTextFile(
    source,
    `import { runProgram } from ${url("./program.ts")};
     import { realWorld } from ${url("./world.ts")};
     const world = { ...realWorld, root: ${JSON.stringify(world.root)} };
     ${before}
     Deno.exit(await runProgram(world, Deno.args));`,
  );
  // One file: another user may not read the sources, nor their cache.
  const bundled = `${world.root}/program.js`;
  const bundling = ["bundle", "--quiet", "--platform=deno", `--output=${bundled}`, source];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args: bundling, stdout: "null" }).output();
  if (!success) throw new Error(`Could not bundle the program: ${new TextDecoder().decode(stderr)}`);
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", bundled, ...args],
    env: { [ENV.containerName]: container, ...(uid === undefined ? {} : { DENO_DIR: "/dev/null" }), ...env },
    stdout: "null",
    stderr: "null",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  }).spawn();
}
