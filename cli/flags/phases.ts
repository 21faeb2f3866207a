/** Checks the phases of `--status`. */
import { didYouMean, NodePhase } from "@tiphys/model/api";
import { badInput } from "../command_error.ts";

const PHASES: readonly string[] = NodePhase.options;

/** @throws {CommandError} for a text that is not a phase. */
export function checkPhases(phases: readonly string[]): void {
  for (const phase of phases) {
    if (PHASES.includes(phase)) continue;
    const hint = didYouMean(phase, PHASES);
    throw badInput(`Expected one of ${PHASES.join(", ")} for --status, got ${JSON.stringify(phase)}${hint}`);
  }
}
