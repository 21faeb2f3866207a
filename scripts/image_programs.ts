/** The programs in the images of controller and server, for building and measuring them. */
import { PATH } from "@tiphys/base/constants";
import { BUNDLE_FLAGS } from "@tiphys/portable/elf";

/**
 * The Deno permissions of controller and server: network, environment, and reading mounted files, including a
 * kubeconfig at any path. They start no program and load no library.
 */
const PERMISSIONS = ["--allow-net", "--allow-env", "--allow-read"];

export const CONTROLLER_PROGRAM = {
  entry: "controller/main.ts",
  parts: {
    scripts: ["lib/kube/client_node.ts", "lib/storage/database/mysql_client.ts"],
    threads: ["controller/workflow/lane/thread.ts"],
  },
  /**
   * Most objects of a pass are garbage after it. A nursery of 4 MiB collects them early, at little CPU time; a heap
   * that grows by 40 % instead of 100 % is collected before it doubles. A code cache would cost 40 MiB at the first
   * start of each container and be lost with it. Figures: docs/decisions/015-memory-settings.md.
   */
  permissions: [...PERMISSIONS, "--allow-sys=hostname"],
  flags: ["--v8-flags=--max-semi-space-size=4,--heap-growing-percent=40", "--no-code-cache"],
  /** V8's compiler allocates pieces of 32 KiB. As separate mappings, they return to the system when they are freed. */
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
   * Uploads are stored in the temporary folder until the store has them, if it requires their length or redirects the
   * client to another server. That folder also has the sockets of plugin sidecars. The system's authorities, which are
   * trusted in addition to `rootCA` of a login, require the permission `sys`; Deno's command line does not accept its
   * part `ca` alone.
   */
  permissions: [...PERMISSIONS, "--allow-sys", `--allow-write=${PATH.temporary}`],
  /** As for the controller: halves the memory after lists. */
  flags: ["--v8-flags=--max-semi-space-size=4,--heap-growing-percent=40", "--no-code-cache"],
  variables: ["MALLOC_MMAP_THRESHOLD_=32768"],
} as const;

/** Returns the command line that runs the bundle of one of them here as in its image. */
export function programCommand(
  program: { readonly flags: readonly string[]; readonly variables?: readonly string[] },
  script: string,
  more: readonly string[] = [],
): string[] {
  const { flags, variables = [] } = program;
  return ["env", ...variables, Deno.execPath(), "run", ...BUNDLE_FLAGS, ...flags, ...more, script];
}
