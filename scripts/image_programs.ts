/** The programs in the images of controller and server, for the scripts that build them and that measure them. */
import { PATH } from "@tiphys/base/constants";
import { BUNDLE_FLAGS } from "@tiphys/portable/elf";

/**
 * The permissions of Deno that controller and server have: the network, settings from the environment, and files that are
 * mounted for them, a kubeconfig among those, wherever it lies. They start no program and load no library.
 */
const PERMISSIONS = ["--allow-net", "--allow-env", "--allow-read"];

export const CONTROLLER_PROGRAM = {
  entry: "controller/main.ts",
  parts: {
    scripts: ["lib/kube/client_node.ts", "lib/storage/database/mysql_client.ts"],
    threads: ["controller/workflow/lane/thread.ts"],
  },
  /**
   * Most objects of a pass are garbage after it. A nursery of 4 MiB collects them early, at little CPU time; a heap that
   * grows by 40 % instead of 100 % is collected before it doubles. A code cache would cost 40 MiB at the first start of
   * each container and be lost with it. Figures: docs/decisions/015-memory-settings.md.
   */
  permissions: [...PERMISSIONS, "--allow-sys=hostname"],
  flags: ["--v8-flags=--max-semi-space-size=4,--heap-growing-percent=40", "--no-code-cache"],
  /** V8's compiler allocates pieces of 32 KiB. As mappings of their own, they return to the system when they are freed. */
  variables: ["MALLOC_MMAP_THRESHOLD_=32768"],
} as const;

export const SERVER_PROGRAM = {
  entry: "server/main.ts",
  parts: {
    scripts: ["lib/kube/client_node.ts", "lib/storage/database/mysql_client.ts"],
    threads: ["lib/language/text_worker/text_thread.ts"],
    hasPage: true,
  },
  /**
   * An upload lies in the folder of what is temporary until its store has it, where that wants to know its length first
   * or sends the client on to another server; below that folder are the sockets of plugins beside the server.
   * The authorities that are trusted anyway, beside `rootCA` of a login, are read with the permission `sys`, whose name
   * for them (`ca`) Deno takes at its command line only as part of the whole.
   */
  permissions: [...PERMISSIONS, "--allow-sys", `--allow-write=${PATH.temporary}`],
  /** As for the controller: half of the memory after lists. */
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
