/** The mark on a workflow that cannot be reconciled: the phase Error, written once, with the reason for its author. */
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { shortened } from "@tiphys/base/limits";
import { classifyError, type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { isCompletedPhase } from "@tiphys/model/status";
import { phaseOf } from "../observe/glance.ts";

/** The end that is written into a workflow. */
export interface BrokenEnd {
  readonly phase: "Failed" | "Error";
  readonly message: string;
  /** Whether its author can fix it: then a condition reports it as well. */
  readonly isUserError: boolean;
  /** The time of the end, in Kubernetes' format. */
  readonly at: string;
}

/**
 * Ends the workflow unless it has finished. Its status is not trusted: only what can be read of it is kept.
 * @returns the workflow after the write; undefined if it had finished already.
 * @throws {KubeError} when the API server refuses that as well.
 */
export async function endBrokenWorkflow(
  client: KubeClient,
  seen: KubeObject,
  { phase, message: whole, isUserError, at }: BrokenEnd,
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
      ...(isUserError ? [{ type: "SpecError", status: "True", message }] : []),
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
    // The object is full: remove nodes, templates and outputs, which a workflow that cannot be reconciled does not
    // need.
    return await write({ ...status, nodes: null, compressedNodes: null, storedTemplates: null, outputs: null });
  }
}

const OURS: ReadonlySet<unknown> = new Set(["SpecError", "Completed"]);

/** Whether the API server, or its etcd, refuses an object of this size. */
function isTooLarge(error: unknown): boolean {
  const isRefused = classifyError(error) === "invalid" || classifyError(error) === "fatal";
  return isRefused && /too large|too long|exceeds/i.test(String(error));
}
