/**
 * Launches with bubblewrap (`bwrap`), for machines where it may make namespaces and we may not: some distributions
 * install it setuid, or let it alone through their security policy. The machine's folders are read-only here.
 */

import type { Launcher } from "./launcher.ts";
import { readIfThere } from "./launcher.ts";
import { makeRoot } from "./make_root.ts";
import type { RootPlan } from "./root_plan.ts";
import type { ContainerSpec } from "./runtime.ts";
import { shellQuote as quote } from "./shell_quote.ts";
import { environmentWords } from "./unshare.ts";

/** The launcher for machines with bubblewrap. */
export function bubblewrapLauncher(): Launcher {
  return {
    name: "bubblewrap",
    overlays: false,
    async prepare(plan, spec) {
      makeRoot(plan, `${spec.folder}/root`, (path) => `${spec.folder}/root${path}`);
      const script = `${spec.folder}/launch.sh`;
      await Deno.writeTextFile(script, bubblewrapScript(plan, spec), { mode: 0o600 });
      return ["setsid", "sh", script];
    },
    state(folder) {
      const state = readIfThere(`${folder}/state`);
      const pid = /"child-pid": (\d+)/.exec(state)?.[1];
      return { pid: pid === undefined ? undefined : Number(pid), reached: /^reached$/m.test(state), complaints: "" };
    },
    enter({ first }, spec, command) {
      const namespaces = ["--user", "--preserve-credentials", "--mount", "--pid", "--ipc", "--uts"];
      return ["nsenter", `--target=${first}`, ...namespaces, "--", ...environmentWords(spec), ...command];
    },
  };
}

/**
 * The script of one container. bubblewrap itself makes the mount points, so the order of its options matters. Everything
 * runs as user 0 of the namespace, which is the caller: another number would need a namespace that exec cannot enter.
 */
export function bubblewrapScript(plan: RootPlan, spec: ContainerSpec): string {
  const writable = spec.readOnlyRoot ? "--ro-bind" : "--bind";
  const words = [
    ...["bwrap", "--die-with-parent", "--as-pid-1", "--info-fd", "9"],
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--hostname", spec.hostname],
    ...["--uid", "0", "--gid", "0"],
    ...[writable, `${spec.folder}/root`, "/"],
    ...plan.layers.flatMap(({ path }) => ["--ro-bind", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--ro-bind", "/sys", "/sys"],
    ...plan.mounts.flatMap(({ source, target, readOnly }) => [readOnly ? "--ro-bind" : "--bind", source, target]),
    // The root is complete when something in it can say so.
    ...["--", "sh", "-c", 'echo reached >&8; exec 8>&- "$@"', "sh"],
    ...environmentWords(spec),
    ...spec.command,
  ];
  return `exec 8>>${quote(`${spec.folder}/state`)} 9>&8\nexec ${words.map(quote).join(" ")}\n`;
}
