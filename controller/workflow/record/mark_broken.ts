/** The mark on a workflow that cannot be worked: the phase Error, written once, with the reason in words for its author. */
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { shortened } from "@tiphys/base/limits";
import { type KubeClient, type KubeObject, sortError, WORKFLOWS } from "@tiphys/kube";
import { isCompletedPhase } from "@tiphys/model/status";
import { phaseOf } from "../observe/glance.ts";

/** The end that a workflow is marked with. */
export interface BrokenEnd {
  readonly phase: "Failed" | "Error";
  readonly message: string;
  /** Whether its author can mend it: then a condition says so too. */
  readonly isAuthors: boolean;
  /** The time of the end, in the form in which Kubernetes writes it. */
  readonly at: string;
}

/**
 * Ends the workflow, unless it is over. What is in its status is nobody's word: only what can be read of it is kept.
 * @returns the workflow as it now is; undefined when it was over already.
 * @throws {KubeError} when the API server refuses that too.
 */
export async function markBroken(
  client: KubeClient,
  seen: KubeObject,
  { phase, message: whole, isAuthors, at }: BrokenEnd,
): Promise<KubeObject | undefined> {
  const { startedAt, conditions } = fieldsOf(seen.status);
  if (isCompletedPhase(phaseOf(seen))) return undefined;
  const message = shortened(whole);
  const status = {
    phase,
    message,
    startedAt: typeof startedAt === "string" ? startedAt : at,
    finishedAt: at,
    conditions: [
      ...(Array.isArray(conditions) ? conditions : []).filter((condition) => !OURS.has(fieldsOf(condition).type)),
      ...(isAuthors ? [{ type: "SpecError", status: "True", message }] : []),
      { type: "Completed", status: "True" },
    ],
  };
  const { namespace, name, uid } = seen.metadata;
  const write = (status: object) =>
    client.patch<KubeObject>(
      WORKFLOWS,
      namespace,
      name!,
      {
        apiVersion: API_VERSION,
        kind: "Workflow",
        metadata: { uid, labels: { [LABEL.phase]: phase, [LABEL.completed]: "true" } },
        status,
      },
      "merge",
      { answer: "metadata" },
    );
  try {
    return await write(status);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    // The object is full: nodes, templates and outputs go, which are of no use in a workflow that cannot be worked.
    return await write({ ...status, nodes: null, compressedNodes: null, storedTemplates: null, outputs: null });
  }
}

const OURS: ReadonlySet<unknown> = new Set(["SpecError", "Completed"]);

/** The API server, or the etcd behind it, keeps no object of this size. */
function isTooLarge(error: unknown): boolean {
  const isRefused = sortError(error) === "invalid" || sortError(error) === "fatal";
  return isRefused && /too large|too long|exceeds/i.test(String(error));
}
