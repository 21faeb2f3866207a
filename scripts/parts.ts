/** The parts of the whole gate: `deno task all` and `.ci/run` run these, one after the other. */
import type { TimedCommand } from "./run_parts.ts";
import { type Share, shareText } from "./share.ts";

/**
 * One command that ends with `N passed, N failed, N skipped`. Its minutes are the most that it may take; all of them together
 * have the budget of the run, which is less than their sum.
 */
export type Part = TimedCommand;

/** The parts, by what must be there. */
export interface Parts {
  readonly first: readonly Part[];
  /** The parts that need a real cluster. */
  readonly onCluster: readonly Part[];
  /**
   * The parts that need kubectl, which is built with the cluster, or compare their results with those of the cluster.
   */
  readonly last: readonly Part[];
}

/** The kills of `deno task crash`, and the runs of `deno task dst`, when all is run. */
const KILLS = 100;
const SIMULATED_RUNS = 4000;

/** The parts with what belongs to a share of them; what is short has no shares. */
export function partsOf(share: Share): Parts {
  const flag = share.of === 1 ? [] : ["--share", shareText(share)];
  return {
    first: [
      part(["ok"], 35),
      part(["examples"], 10),
      part(["artifacts"], 15),
      part(["clients", ...flag], 10),
      part(["hostile"], 10),
      part(["ui"], 20),
      { ...part(["dst", "--runs", `${SIMULATED_RUNS}`, "--workers", "2", "--suite", ...flag], 15), twice: false },
      part(["crash", `${Math.ceil(KILLS / share.of)}`], 8),
    ],
    onCluster: [
      part(["bench", "--quick"], 8),
      part(["e2e", ...flag], 20),
      part(["conformance", ...flag], 30),
    ],
    last: [
      part(["kubectl"], 8),
      part(["conformance", "--embedded", ...flag], 25),
      { ...part(["conformance:compare"], 2), twice: false },
    ],
  };
}

/** A part that stands on processes, sockets, servers or a browser: all but those that compute the same every time. */
function part(words: readonly string[], minutes: number): Part {
  const command = [Deno.execPath(), "task", "--quiet", ...words];
  return { name: `deno task ${words.join(" ")}`, command, minutes, twice: true };
}
