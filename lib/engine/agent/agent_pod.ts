/** The state of an agent, derived from its pod. */
import type { Pod } from "@tiphys/model/api";
import { CONTAINER } from "@tiphys/base/constants";
import { pendingMessage } from "../pod/mod.ts";
import { parseTerminationMessage } from "@tiphys/model/parse_termination_message";

/**
 * The state of an agent. `restarted`: its container has failed and is restarting. `lost`: its pod is gone for a reason
 * outside of the agent.
 */
export type AgentState =
  | { readonly kind: "starting"; readonly why: string }
  | { readonly kind: "running" }
  | { readonly kind: "restarted"; readonly why: string }
  | { readonly kind: "lost" }
  | { readonly kind: "failed"; readonly message: string };

/** Reasons of pods that the cluster ended. */
const LOST_POD_REASONS: ReadonlySet<string> = new Set([
  "Evicted",
  "NodeLost",
  "NodeShutdown",
  "Preempting",
  "Terminated",
]);

/** Reasons of containers that are starting. */
const STARTING_REASONS: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

/** Returns the state of an agent. */
export function agentState(pod: Pod): AgentState {
  const { phase, reason = "", message } = pod.status ?? {};
  // A pod that is being deleted counts as lost, so that it is replaced.
  if (pod.metadata.deletionTimestamp) return { kind: "lost" };
  if (phase === "Succeeded") return { kind: "lost" };
  if (phase === "Failed") {
    return LOST_POD_REASONS.has(reason) ? { kind: "lost" } : { kind: "failed", message: message ?? "" };
  }
  const ended = lastFailure(pod);
  if (ended !== undefined) return { kind: "restarted", why: ended };
  const why = pendingMessage(pod);
  // The pod of a container in a crash loop is running while the container waits.
  if (phase !== "Running" || hasWaitingMain(pod)) {
    return { kind: "starting", why: STARTING_REASONS.has(why) ? "" : why };
  }
  return { kind: "running" };
}

/** The last failure of the agent's container; undefined if it has not failed. */
function lastFailure({ status }: Pod): string | undefined {
  const main = status?.containerStatuses?.find(({ name }) => name === CONTAINER.main);
  const end = main?.state?.terminated ?? main?.lastState?.terminated;
  if (!end?.exitCode) return undefined;
  const code = `exit code ${end.exitCode}`;
  return parseTerminationMessage(end.message)?.cause ?? (end.reason ? `${end.reason} (${code})` : code);
}

function hasWaitingMain({ status }: Pod): boolean {
  return status?.containerStatuses?.some(({ state }) => state?.waiting !== undefined) === true;
}
