/**
 * Finished workflows in the local copy: only the fields that are still needed, so that thousands take little memory.
 */
import { ANNOTATION, FINALIZER, LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import { isCompletedPhase } from "@tiphys/model/status";
import { sharedPart, withSharedTexts } from "./shared_parts.ts";
import { phaseOf } from "./glance.ts";

/** The fields of a spec that are needed after the end. */
const RETAINED_SPEC_FIELDS = [
  "podDisruptionBudget",
  "podGC",
  "priority",
  "shutdown",
  "ttlStrategy",
  "volumeClaimGC",
] as const;
const RETAINED_STATUS_FIELDS = [
  "phase",
  "startedAt",
  "finishedAt",
  "conditions",
  "persistentVolumeClaims",
  "offloadNodeStatusVersion",
] as const;

/** kubectl's annotation, which is as large as the workflow itself and is not needed here. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const reduced = new WeakSet<KubeObject>();

/** Whether an object of the copy is not whole: its templates and nodes are in the cluster only. */
export function isReduced(workflow: KubeObject): boolean {
  return reduced.has(workflow);
}

/**
 * The workflow as the copy stores it: whole until nothing remains to be done that needs its nodes. One that is to be
 * archived, has a finalizer, is sealed or holds locks stays whole.
 */
export function retainedWorkflow(workflow: KubeObject): KubeObject {
  if (!isSettled(workflow)) return workflow;
  const { apiVersion, kind, metadata, spec, status } = workflow;
  const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations ?? {};
  const { labels } = metadata;
  const { conditions, storedWorkflowTemplateSpec } = fieldsOf(status);
  const kept: KubeObject = withSharedTexts({
    ...sharedPart({ apiVersion, kind }),
    metadata: {
      ...metadata,
      ...(labels && { labels: sharedPart(labels) }),
      ...(metadata.annotations && { annotations: sharedPart(annotations) }),
    },
    spec: sharedPart(pickFields(fieldsOf(spec), RETAINED_SPEC_FIELDS)),
    status: {
      ...pickFields(fieldsOf(status), RETAINED_STATUS_FIELDS),
      ...(Array.isArray(conditions) && { conditions: sharedPart(conditions) }),
      ...(storedWorkflowTemplateSpec
        ? { storedWorkflowTemplateSpec: pickFields(fieldsOf(storedWorkflowTemplateSpec), RETAINED_SPEC_FIELDS) }
        : {}),
    },
  });
  reduced.add(kept);
  return kept;
}

function isSettled(workflow: KubeObject): boolean {
  const { labels, annotations, finalizers } = workflow.metadata;
  return labels?.[LABEL.completed] === "true" &&
    isCompletedPhase(phaseOf(workflow)) &&
    labels[LABEL.archivingStatus] !== "Pending" &&
    !finalizers?.includes(FINALIZER.artifactGc) &&
    annotations?.[ANNOTATION.storedSpecSeal] === undefined &&
    fieldsOf(workflow.status).synchronization === undefined;
}

function pickFields(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));
}
