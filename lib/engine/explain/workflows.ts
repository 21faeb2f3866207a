/** Whole workflows: causes that keep one from starting, continuing, or being deleted. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { isFulfilled, millisOf, onExitNodeName, timeText } from "@tiphys/model/status";
import { obstacleOf } from "./pods.ts";
import type { ExplainInput, WorkflowCheck } from "./explain_input.ts";
import { refOfNode } from "./explain_input.ts";
import { BY_ITSELF, type Reason, reason, RETRIED } from "./reason.ts";

const SECOND = 1000;
/** Age of a new workflow without a status at which its controller counts as missing. */
const MISSING_CONTROLLER_MILLIS = 30 * SECOND;

/** A workflow that somebody suspended. */
export const checkSuspension: WorkflowCheck = ({ workflow, spec }) => {
  if (!workflow.spec.suspend || spec.shutdown || workflow.spec.shutdown) return [];
  const command = `tiphys resume ${workflow.metadata.name ?? ""}`;
  const since = workflow.status?.startedAt ?? workflow.metadata.creationTimestamp;
  return [reason("Suspended", {
    since,
    text: `suspended${since ? ` since ${since}` : ""}: ${command}`,
    unblock: command,
  })];
};

/** A workflow that waits until fewer workflows run. */
export const checkParallelism: WorkflowCheck = ({ workflow, evidence }) => {
  if (hasStarted(workflow) || workflow.spec.shutdown) return [];
  const limit = evidence.controller?.limit;
  const isPostponed = evidence.mayStart === false || workflow.status?.message?.includes("has been postponed");
  if (!limit && !isPostponed) return [];
  const inNamespace = limit?.of === "namespace";
  const others = limit ? `one of ${limit.max} workflows` : "one of the running workflows";
  const where = inNamespace ? ` in namespace ${workflow.metadata.namespace}` : "";
  const before = limit ? ` (${limit.before} are ahead of it)` : "";
  return [reason(inNamespace ? "NamespaceParallelism" : "Parallelism", {
    since: workflow.metadata.creationTimestamp,
    text: `waits for ${others} to end${where}${before}`,
    unblock: "wait for another workflow to end, or raise its priority or the controller's parallelism",
  })];
};

/** A workflow whose WorkflowTemplate or ClusterWorkflowTemplate does not exist. */
export const checkTemplate: WorkflowCheck = ({ workflow, evidence }) => {
  const ref = workflow.spec.workflowTemplateRef;
  if (!ref?.name || hasStarted(workflow)) return [];
  const find = ref.clusterScope ? evidence.clusterWorkflowTemplate : evidence.workflowTemplate;
  if (!find || find(ref.name) !== undefined) return [];
  const kind = ref.clusterScope ? "ClusterWorkflowTemplate" : "WorkflowTemplate";
  const where = ref.clusterScope ? "" : ` in ${workflow.metadata.namespace}`;
  return [reason("TemplateMissing", {
    since: workflow.metadata.creationTimestamp,
    text: `${kind} ${ref.name} not found${where}`,
    blocks: [{ kind, name: ref.name }],
    unblock: `create the ${kind}`,
  })];
};

/** A workflow whose claims of `volumeClaimTemplates` are being created. */
export const checkClaims: WorkflowCheck = ({ workflow, spec, evidence }) => {
  if (!spec.volumeClaimTemplates?.length || !hasStarted(workflow) || Object.keys(workflow.status?.nodes ?? {}).length) {
    return [];
  }
  return spec.volumeClaimTemplates.flatMap(({ metadata }) => {
    const name = `${workflow.metadata.name}-${metadata?.name}`;
    if (evidence.claims?.get(name) === "present") return [];
    const refusal = evidence.refusals?.get(name);
    return [reason("Claim", {
      since: workflow.status?.startedAt,
      text: `waits for claim ${name}${refusal ? `: ${refusal.message}` : ""}`,
      blocks: [{ kind: "PersistentVolumeClaim", name }],
      unblock: refusal ? RETRIED : BY_ITSELF,
    })];
  });
};

/** Reasons in the controller, reported by itself or observed by a client. */
export const checkController: WorkflowCheck = (input) => {
  const { workflow, evidence: { controller }, now } = input;
  const reasons: Reason[] = [];
  const instance = workflow.metadata.labels?.[LABEL.instanceId];
  if (controller?.instanceId !== undefined && (instance ?? "") !== controller.instanceId) {
    const description = instance ? `with label instance-id ${instance}` : "without label instance-id";
    reasons.push(reason("NotOurs", {
      since: workflow.metadata.creationTimestamp,
      text: `no controller found for workflows ${description}`,
      unblock: "start a controller with that instance ID, or change the label",
    }));
  }
  const lease = controller?.lease;
  if (lease && lease.expiresAt < now.getTime()) {
    const expiry = timeText(new Date(lease.expiresAt));
    reasons.push(reason("NoController", {
      since: expiry,
      text: `no controller has written since ${expiry} (lease of ${lease.holder} expired ${expiry})`,
      unblock: "check the controller's Deployment",
    }));
  }
  return [...reasons, ...controllerReasons(input)];
};

function controllerReasons({ evidence: { controller }, now }: ExplainInput): Reason[] {
  const reasons: Reason[] = [];
  if (controller?.quarantine) {
    const { until } = controller.quarantine;
    reasons.push(reason("Quarantined", {
      text: "every pass over it fails; its message has the reason",
      until,
      unblock: "change the workflow",
    }));
  }
  if (controller?.backoff) {
    const { words, times, until } = controller.backoff;
    const text = `the API server failed ${times} times (${words}); next retry at ${timeText(new Date(until))}`;
    reasons.push(reason("Backoff", { text, until, unblock: RETRIED }));
  }
  if (controller?.isOutdated) {
    reasons.push(
      reason("Conflict", {
        text: "another client changed the workflow; waiting for its new state",
        unblock: BY_ITSELF,
      }),
    );
  }
  if (controller?.restsUntil !== undefined) {
    const text = `paused for ${Math.max(0, Math.ceil(controller.restsUntil - now.getTime()))} ms after a long pass`;
    reasons.push(reason("Rest", { text, until: controller.restsUntil, unblock: BY_ITSELF }));
  }
  if (controller?.place !== undefined) {
    reasons.push(
      reason("Queue", { text: `waits for a worker, position ${controller.place} in the queue`, unblock: BY_ITSELF }),
    );
  }
  return reasons;
}

/** A workflow without a pass so far. */
export const checkFirstPass: WorkflowCheck = ({ workflow, now }) => {
  if (workflow.status?.phase) return [];
  const created = workflow.metadata.creationTimestamp;
  const isMissed = now.getTime() - millisOf(created) > MISSING_CONTROLLER_MILLIS;
  const parts = { since: created };
  if (!isMissed) {
    return [reason("Queue", { ...parts, text: "waits for the controller to process it", unblock: BY_ITSELF })];
  }
  return [reason("NoController", {
    ...parts,
    text: `no controller has written since ${created}`,
    unblock: "start a controller for this namespace and instance ID",
  })];
};

/** The exit handler, which waits for all other nodes. */
export const checkExitHandler: WorkflowCheck = ({ workflow, spec, byName }) => {
  const name = workflow.metadata.name ?? "";
  const root = byName.get(name);
  const handler = spec.onExit ?? spec.hooks?.exit?.template;
  if (!handler || !root || isFulfilled(root) || byName.has(onExitNodeName(name))) return [];
  return [reason("ExitHandler", {
    node: onExitNodeName(name),
    since: workflow.status?.startedAt,
    text: "waits for all other nodes",
    blocks: [refOfNode(root)],
    unblock: "wait for all other nodes",
  })];
};

/** The reasons why a completed workflow still exists: its archiving, its artifacts, or its time to live. */
export const checkCompleted: WorkflowCheck = (input) => {
  const { workflow, spec } = input;
  const { metadata, status } = workflow;
  const reasons: Reason[] = [];
  const since = status?.finishedAt;
  if (metadata.labels?.[LABEL.archivingStatus] === "Pending") {
    reasons.push(reason("Archiving", { since, text: "is being archived", unblock: BY_ITSELF }));
  }
  if (metadata.finalizers?.includes(ARTIFACT_GC_FINALIZER)) {
    reasons.push(waitsForCollectors(input));
  }
  const until = timeToLiveEnd(workflow, spec.ttlStrategy);
  if (until !== undefined) {
    const text = `will be deleted at ${timeText(new Date(until))}`;
    reasons.push(reason("TTL", { since, text, until, unblock: BY_ITSELF }));
  }
  return reasons;
};

/** Names the first pod that cannot start, or the error of an earlier attempt. */
function waitsForCollectors({ workflow: { status }, evidence }: ExplainInput): Reason {
  const pods = (evidence.collectors ?? []).filter((pod) => !isCompletedPod(pod));
  const [stuck] = pods.flatMap((pod) => {
    const obstacle = pod.status?.phase === "Running" ? undefined : obstacleOf(pod, evidence);
    return obstacle ? [{ ...obstacle, text: `pod ${pod.metadata.name}: ${obstacle.text}` }] : [];
  });
  const error = status?.conditions?.find(({ type, status }) => type === "ArtifactGCError" && status === "True")
    ?.message;
  const why = stuck?.text ?? error;
  return reason("ArtifactGC", {
    since: status?.finishedAt,
    text: `kept until its artifacts are deleted${why ? `: ${why}` : ""}`,
    blocks: pods.map(({ metadata }) => ({ kind: "Pod", name: metadata.name ?? "" })),
    unblock: stuck?.unblock ?? BY_ITSELF,
  });
}

function isCompletedPod({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

const ARTIFACT_GC_FINALIZER = "workflows.argoproj.io/artifact-gc";

function timeToLiveEnd({ status }: Workflow, strategy: Workflow["spec"]["ttlStrategy"]): number | undefined {
  const { secondsAfterCompletion, secondsAfterSuccess, secondsAfterFailure } = strategy ?? {};
  const forPhase = status?.phase === "Succeeded" ? secondsAfterSuccess : secondsAfterFailure;
  const seconds = forPhase ?? secondsAfterCompletion;
  return seconds === undefined ? undefined : millisOf(status?.finishedAt) + seconds * SECOND;
}

function hasStarted({ status }: Workflow): boolean {
  return Boolean(status?.phase) && status?.phase !== "Pending";
}
