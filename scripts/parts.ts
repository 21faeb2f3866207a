/** The parts of the whole gate, which `deno task all` and `.ci/run` run one after the other. */
import type { TimedCommand } from "./run_parts.ts";
import { type Share, shareText } from "./share.ts";

/** One command that ends with `N passed, N failed, N skipped`, and its time budget on a slow machine with two cores. */
export type Part = TimedCommand;

/** The parts, by what they need. */
export interface Parts {
  readonly first: readonly Part[];
  /** Parts that need a real cluster, or kubectl, which is built with it, or the results of conformance cases on it. */
  readonly onCluster: readonly Part[];
}

/** The kills of `deno task suite crash`, and the runs of `deno task suite dst`, when everything is run. */
const KILLS = 100;
const SIMULATED_RUNS = 4000;

/** The minutes that a suite takes for a share, in halves: a fixed part for its servers, and its share of the cases. */
function minutes(fixed: number, cases: number, { of }: Share): number {
  return Math.ceil(2 * (fixed + cases / of)) / 2;
}

/**
 * The parts, with a share of the long suites. The budgets of a share of CI fit into its time, with the setup before
 * them.
 */
export function partsOf(share: Share): Parts {
  const flag = share.of === 1 ? [] : ["--share", shareText(share)];
  // A third of the cases is enough to compare the installations.
  const third = { number: share.number, of: 3 * share.of };
  const kills = `${Math.ceil(KILLS / share.of)}`;
  return {
    first: [
      { ...part(["ok"], 7.5), isRequired: true },
      requiredPart(["audit"], 0.25),
      part(["test", "--long", ...flag], minutes(0.5, 6, share)),
      requiredPart(["suite", "examples"], 1),
      requiredPart(["suite", "examples", "--crds", "full"], 1),
      requiredPart(["suite", "artifacts", ...flag], minutes(0.5, 14, share)),
      requiredPart(["suite", "clients", ...flag], minutes(0.5, 4, share)),
      requiredPart(["hostile", ...flag], minutes(0.5, 4, share)),
      retriablePart(["ui"], flag, minutes(0.5, 8, share)),
      part(
        ["suite", "dst", "--runs", `${SIMULATED_RUNS}`, "--workers", "2", "--suite", ...flag],
        minutes(0, 8, share),
      ),
      part(["suite", "node-ids", ...flag], minutes(0, 8, share)),
      requiredPart(["suite", "crash", kills], minutes(0, 4, share)),
      part(["suite", "conformance", "--embedded", ...flag], minutes(0.5, 24, share)),
    ],
    onCluster: [
      { ...retriablePart(["e2e"], flag, minutes(0.5, 16, share)), isRequired: true },
      part(["suite", "conformance", ...flag], minutes(0.5, 16, share)),
      part(["suite", "compare"], 0.25),
      requiredPart(["suite", "kubectl"], 0.75),
      requiredPart(["bench", "--quick", ...flag], minutes(0.5, 4, share)),
      // Last: they exchange the CRDs of the cluster for those of an installed Argo.
      retriablePart(["e2e", "--profile", "foreign", "--crds", "full"], flag, minutes(1, 12, share)),
      part(
        ["suite", "conformance", "--profile", "foreign", "--crds", "minimal", "--share", shareText(third)],
        minutes(1, 16, third),
      ),
    ],
  };
}

/** A part that runs its failed tests again by itself, or computes the same every time. */
function part(words: readonly string[], minutes: number): Part {
  return { name: `deno task ${words.join(" ")}`, command: denoTask(words), minutes };
}

/** A part that is run again as a whole when it fails. */
function requiredPart(words: readonly string[], minutes: number): Part {
  return { ...part(words, minutes), rerun: () => denoTask(words) };
}

/** A part whose failed cases are run again by their names. */
function retriablePart(words: readonly string[], flag: readonly string[], minutes: number): Part {
  return { ...part([...words, ...flag], minutes), rerun: (name) => denoTask([...words, name]) };
}

function denoTask(words: readonly string[]): string[] {
  return [Deno.execPath(), "task", "--quiet", ...words];
}
