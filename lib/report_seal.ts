/**
 * The seal of a report: proof that the pod of the node made it. Every pod of ours is born with a key of its own, which is
 * in the environment of the containers that report and nowhere else; a report carries an HMAC of what it says. Who may
 * write reports, as every pod may, cannot seal another pod's. The executor seals, the controller compares.
 */
import { canonicalJson } from "./canonical_json.ts";

/** The content of a report, all of which is sealed together. */
export interface Reported {
  readonly mainStarted: boolean;
  /** The report is whole. */
  readonly completed: boolean;
  readonly phase?: string | undefined;
  readonly progress?: string | undefined;
  /** Absent where another container of the pod tells them, under a seal of their own. */
  readonly outputs?: unknown;
}

/** The pod and the node that report: a node has another pod, with another UID, in each of its lives. */
export interface Reporter {
  readonly podUid: string;
  readonly nodeId: string;
}

/** The text that is sealed of a report. */
export function reportText({ podUid, nodeId }: Reporter, reported: Reported): string {
  return canonicalJson(["report", podUid, nodeId, reported]);
}

/** The text that is sealed of logs that the container which ends the report tells beside the outputs of another. */
export function logsText({ podUid, nodeId }: Reporter, artifacts: unknown): string {
  return canonicalJson(["logs", podUid, nodeId, artifacts]);
}

/** The text that is sealed of outputs that another container tells than the one that ends the report. */
export function outputsText({ podUid, nodeId }: Reporter, outputs: unknown): string {
  return canonicalJson(["outputs", podUid, nodeId, outputs]);
}
