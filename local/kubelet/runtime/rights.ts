/** The rights of a container's processes: what a container engine grants by default, no more. */

import { GRANTED_CAPABILITIES } from "./capabilities.ts";
import type { Argv } from "./launcher.ts";

/**
 * The words before a command that give it an identity and take all other rights away. In a user namespace the caller
 * has one identity only, which is shown under the wanted number.
 */
export function withRights(identity: { user?: number | undefined; group?: number | undefined; mapped: boolean }): Argv {
  const { user, group, mapped } = identity;
  const bounded = [
    `--bounding-set=-all,${GRANTED_CAPABILITIES.map((name) => `+${name}`).join(",")}`,
    "--inh-caps=-all",
  ];
  if (user === undefined && group === undefined) return ["setpriv", ...bounded, "--"];
  if (mapped) {
    const shown = ["unshare", "--user", `--map-user=${user ?? 0}`, `--map-group=${group ?? user ?? 0}`, "--"];
    return ["setpriv", ...bounded, "--", ...shown];
  }
  const own = [`--reuid=${user ?? 0}`, `--regid=${group ?? 0}`, "--clear-groups", "--pdeathsig=KILL"];
  return ["setpriv", ...own, ...bounded, "--"];
}
