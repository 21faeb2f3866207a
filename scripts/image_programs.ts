/** The programs in the images of controller and server, for the scripts that build them and that measure them. */
import { PATH } from "../lib/constants.ts";
import { BUNDLE_FLAGS } from "../lib/elf/mod.ts";

/**
 * The permissions of Deno that controller and server have: the network, settings from the environment, and files that are
 * mounted for them, a kubeconfig among those, wherever it lies. They start no program and load no library.
 */
const PERMISSIONS = ["--allow-net", "--allow-env", "--allow-read"];

export const CONTROLLER_PROGRAM = {
  entry: "controller/main.ts",
  parts: {
    scripts: ["lib/kube/client_node.ts", "lib/database/mysql_client.ts"],
    threads: ["controller/workflow/lane/thread.ts"],
  },
  /**
   * Most of what a pass makes is gone after it. V8 would let 16 MiB of that pile up, twice, before it looks: with a
   * small nursery it looks more often. With one of 1 MiB it looks so often that much outlives it which would be gone a
   * moment later, and a third of the CPU time is collecting: 4 MiB cost 6 MiB of memory and save a fifth. What
   * outlives the nursery by chance would double the heap before V8 looks there: now two fifths more are enough. A
   * cache of compiled code would be written at the first start, which takes 40 MiB, and where containers live it would
   * not be there at the next (docs/performance.md).
   */
  permissions: [...PERMISSIONS, "--allow-sys=hostname"],
  flags: ["--v8-flags=--max-semi-space-size=4,--heap-growing-percent=40", "--no-code-cache"],
  /**
   * V8 compiles what is hot in memory of the C library, which it asks for in pieces of 32 KiB: beside 10,000 workflows
   * some 20 MiB of them within a second, once. Freed pieces stay with the process, unless each is a mapping of its own.
   */
  variables: ["MALLOC_MMAP_THRESHOLD_=32768"],
} as const;

export const SERVER_PROGRAM = {
  entry: "server/main.ts",
  parts: { scripts: ["lib/kube/client_node.ts", "lib/database/mysql_client.ts"], hasPage: true },
  /**
   * An upload lies in the folder of what is temporary until its store has it, where that wants to know its length first
   * or sends the client on to another server; below that folder are the sockets of plugins beside the server.
   * The authorities that are trusted anyway, beside `rootCA` of a login, are read with the permission `sys`, whose name
   * for them (`ca`) Deno takes at its command line only as part of the whole.
   */
  permissions: [...PERMISSIONS, "--allow-sys", `--allow-write=${PATH.temporary}`],
  /** As for the controller: half of the memory after lists (docs/performance.md). */
  flags: ["--v8-flags=--max-semi-space-size=4,--heap-growing-percent=40", "--no-code-cache"],
  variables: ["MALLOC_MMAP_THRESHOLD_=32768"],
} as const;

/** The command line of a bundle of one of them, run here as in its image. */
export function programCommand(
  program: { readonly flags: readonly string[]; readonly variables?: readonly string[] },
  script: string,
  more: readonly string[] = [],
): string[] {
  const { flags, variables = [] } = program;
  return ["env", ...variables, Deno.execPath(), "run", ...BUNDLE_FLAGS, ...flags, ...more, script];
}
