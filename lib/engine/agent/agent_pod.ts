/** The state of an agent, as its pod tells it. */
import type { Pod } from "@tiphys/model/api";
import { CONTAINER } from "@tiphys/base/constants";
import { pendingMessage } from "../pod/mod.ts";
import { parseTerminationMessage } from "@tiphys/model/parse_termination_message";

/** The state of an agent. `restarted`: its container ended in an error, and is begun anew. `lost`: its pod has gone for a reason that is not the agent's own. */
export type AgentState =
  | { readonly kind: "starting"; readonly why: string }
  | { readonly kind: "running" }
  | { readonly kind: "restarted"; readonly why: string }
  | { readonly kind: "lost" }
  | { readonly kind: "failed"; readonly message: string };

/** Reasons of pods that were ended by their cluster. */
const LOST: ReadonlySet<string> = new Set(["Evicted", "NodeLost", "NodeShutdown", "Preempting", "Terminated"]);

/** Reasons of containers that are on their way. */
const ON_ITS_WAY: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

/** Reads the agent's pod. */
export function agentState(pod: Pod): AgentState {
  const { phase, reason = "", message } = pod.status ?? {};
  // A pod that is being deleted is as good as gone: another takes its place.
  if (pod.metadata.deletionTimestamp) return { kind: "lost" };
  if (phase === "Succeeded") return { kind: "lost" };
  if (phase === "Failed") return LOST.has(reason) ? { kind: "lost" } : { kind: "failed", message: message ?? "" };
  const ended = lastWords(pod);
  if (ended !== undefined) return { kind: "restarted", why: ended };
  const why = pendingMessage(pod);
  // A container that crashes again and again waits between, and its pod runs.
  if (phase !== "Running" || hasWaitingMain(pod)) return { kind: "starting", why: ON_ITS_WAY.has(why) ? "" : why };
  return { kind: "running" };
}

/** The words with which the agent's container ended last; undefined when it has not, or ended well. */
function lastWords({ status }: Pod): string | undefined {
  const main = status?.containerStatuses?.find(({ name }) => name === CONTAINER.main);
  const end = main?.state?.terminated ?? main?.lastState?.terminated;
  if (!end?.exitCode) return undefined;
  const code = `exit code ${end.exitCode}`;
  return parseTerminationMessage(end.message)?.cause ?? (end.reason ? `${end.reason} (${code})` : code);
}

function hasWaitingMain({ status }: Pod): boolean {
  return status?.containerStatuses?.some(({ state }) => state?.waiting !== undefined) === true;
}
