/** Pods: the activity of a node's pod, or the obstacle that keeps it from starting. */
import type { ContainerStatus, NodeStatus, Pod, Template } from "@tiphys/model/api";
import { isProblem } from "@tiphys/model/api/problem";
import { podProblem } from "@tiphys/model/api/read_pod";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { isAux } from "@tiphys/model/container_names";
import { isExecutorInit } from "../pod/reading/is_executor_init.ts";
import { isOver, millisOf, podNameOf, storedTemplateOf, timeText } from "@tiphys/model/status";
import type { Evidence, PodWarning } from "./evidence.ts";
import type { ExplainInput, NodeCheck } from "./explain_input.ts";
import { BY_ITSELF, type Reason, reason, type ReasonCode, type ReasonParts, RETRIED } from "./reason.ts";

/** A node with a pod, or with a pod to be created. */
export const checkPod: NodeCheck = (input, node) => {
  const { pods } = input.evidence;
  const pod = pods?.get(node.id);
  if (pod) return [reasonOfPod(input, node, pod)];
  return [pods === undefined ? reasonByNode(node) : reasonWithoutPod(input, node)];
};

const SECOND = 1000;
const CHANGE_TEMPLATE = "fix the template, then run tiphys retry";

type PodParts = Pick<ReasonParts, "node" | "since" | "blocks">;

function partsOf({ workflow }: ExplainInput, node: NodeStatus, pod?: Pod): PodParts {
  const name = pod?.metadata.name ?? podNameOf(workflow, node);
  return { node: node.name, since: node.startedAt, blocks: [{ kind: "Pod", name }] };
}

/** The reason derived from the node alone, where pods may not be read. */
function reasonByNode(node: NodeStatus): Reason {
  const parts = { node: node.name, since: node.startedAt };
  if (node.phase === "Running" || isOver({ ...node, taskResultSynced: true })) {
    const isEnded = node.phase !== "Running";
    return isEnded
      ? reason("Report", { ...parts, text: "its pod has ended; waiting for its report", unblock: BY_ITSELF })
      : running(parts, node, node.startedAt, node.hostNodeName);
  }
  const message = node.message ?? "";
  return reason(codeOfMessage(message) ?? "Creating", {
    ...parts,
    text: message || "its pod is being requested or is starting",
    unblock: message ? unblockOf(codeOfMessage(message)) : BY_ITSELF,
  });
}

/** The reason of a node without a pod, if all pods are known. */
function reasonWithoutPod(input: ExplainInput, node: NodeStatus): Reason {
  const { evidence, config, workflow } = input;
  const parts = partsOf(input, node);
  const refusal = evidence.refusals?.get(node.id);
  if (refusal) {
    const code = /exceeded quota/.test(refusal.message) ? "Quota" : "Refused";
    const message = refusal.message.slice(Math.max(0, refusal.message.indexOf("exceeded quota")));
    const text = code === "Quota" ? message : `the API server rejected the pod: ${refusal.message}`;
    return reason(code, { ...parts, text, unblock: refusal.transient ? RETRIED : CHANGE_TEMPLATE });
  }
  if (node.phase === "Pending") {
    const code = codeOfMessage(node.message ?? "");
    if (code === "Rate") return reason("Rate", { ...parts, text: node.message!, unblock: BY_ITSELF });
    const text = node.message || `its pod ${podNameOf(workflow, node)} is being requested`;
    return reason(code ?? "PodRoom", { ...parts, text, unblock: code ? unblockOf(code) : BY_ITSELF });
  }
  const until = millisOf(node.startedAt) + Math.max(
        config.recentlyStartedPodSeconds ?? 10,
        config.recentlyDeletedPodSeconds ?? 0,
      ) * SECOND;
  return reason("Deleting", {
    ...parts,
    text: "its pod is gone; waiting for its report",
    until,
    unblock: BY_ITSELF,
  });
}

function reasonOfPod(input: ExplainInput, node: NodeStatus, pod: Pod): Reason {
  const { config } = input;
  const parts = partsOf(input, node, pod);
  const { deletionTimestamp } = pod.metadata;
  const problem = podProblem(pod);
  if (problem !== undefined) return reason("Report", { ...parts, text: problem, unblock: BY_ITSELF });
  const ended = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  if (deletionTimestamp && !ended) {
    const { podStatusHoldSeconds: hold } = config;
    const until = hold === undefined ? undefined : millisOf(deletionTimestamp) + hold * SECOND;
    return reason("Deleting", {
      ...parts,
      since: deletionTimestamp,
      text: `pod is being deleted since ${deletionTimestamp}; kept until its end is recorded${
        until === undefined ? "" : `, until ${timeText(new Date(until))} at the latest`
      }`,
      until,
      unblock: BY_ITSELF,
    });
  }
  if (ended) return awaitsReport(input, parts, pod);
  if (pod.status?.phase === "Running") return reasonOfRunning(input, node, pod);
  return reasonOfPending(input, node, pod);
}

function awaitsReport(input: ExplainInput, parts: PodParts, pod: Pod): Reason {
  const ends = statusesOf(pod).map(({ state }) => state?.terminated?.finishedAt).filter((end) => end !== undefined)
    .sort();
  const lastEnd = ends.at(-1);
  const seconds = input.config.recentlyDeletedPodSeconds;
  const until = lastEnd && seconds !== undefined ? millisOf(lastEnd) + seconds * SECOND : undefined;
  return reason("Report", {
    ...parts,
    since: lastEnd ?? parts.since,
    text: `main ended${lastEnd ? ` at ${lastEnd}` : ""}; waiting for its report${
      until ? ` until ${timeText(new Date(until))}` : ""
    }`,
    until,
    unblock: BY_ITSELF,
  });
}

function reasonOfPending(input: ExplainInput, node: NodeStatus, pod: Pod): Reason {
  const parts = partsOf(input, node, pod);
  const obstacle = obstacleOf(pod, input.evidence);
  if (obstacle) {
    const { code, text, since = parts.since, unblock } = obstacle;
    return reason(code, { ...parts, since, text, unblock });
  }
  const init = pod.status?.initContainerStatuses?.find(({ state }) => state?.running);
  if (init) return reasonOfInit(init, parts, node, pod);
  const scheduled = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  const since = scheduled?.lastTransitionTime ?? pod.status?.startTime ?? parts.since;
  const text = pod.status?.startTime || pod.spec?.nodeName
    ? `containers are being created${since ? ` since ${since}` : ""}`
    : `its pod waits for a machine${since ? ` since ${since}` : ""}`;
  return reason("Creating", { ...parts, since, text, unblock: BY_ITSELF });
}

/** Init containers of the executor fetch inputs. Any other one is the user's and runs before main. */
function reasonOfInit({ name, state }: ContainerStatus, parts: PodParts, node: NodeStatus, pod: Pod): Reason {
  const since = state?.running?.startedAt;
  if (isExecutorInit(name, pod) || name.startsWith(CONTAINER.initArtifactPrefix)) return staging(parts, node, since);
  const text = `init container ${name} is running${since ? ` since ${since}` : ""}`;
  return reason("Running", { ...parts, ...(since ? { since } : {}), text, unblock: BY_ITSELF });
}

/** A cause that keeps a pod from running. */
export interface Obstacle {
  readonly code: ReasonCode;
  readonly text: string;
  readonly since?: string | undefined;
  readonly unblock: string;
}

/**
 * The cause that keeps a pod from running, with Kubernetes' message; undefined if the pod is starting normally.
 * Problems before the creation of containers, such as a volume that cannot be mounted, are in events only.
 */
export function obstacleOf(pod: Pod, { podWarnings }: Pick<Evidence, "podWarnings"> = {}): Obstacle | undefined {
  return obstacleInStatus(pod) ?? obstacleInEvent(podWarnings?.get(pod.metadata.name ?? ""));
}

function obstacleInEvent(warning: PodWarning | undefined): Obstacle | undefined {
  if (!warning) return undefined;
  const { reason: word, message, at } = warning;
  const code = codeOfMessage(word) ?? "Creating";
  return { code, since: at, text: `${word}${message ? `: ${message}` : ""}`, unblock: unblockOf(code, word) };
}

function obstacleInStatus(pod: Pod): Obstacle | undefined {
  const { schedulingGates } = pod.spec ?? {};
  const scheduled = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (schedulingGates?.length || scheduled?.reason === "SchedulingGated") {
    const queue = pod.metadata.labels?.[QUEUE_LABEL];
    const gates = (schedulingGates ?? []).map(({ name }) => name).join(", ") || "a scheduling gate";
    const text = `gated by ${gates}${queue ? ` (Kueue queue ${queue})` : ""}`;
    return {
      code: "Gate",
      text,
      unblock: queue ? `wait for room in queue ${queue}` : "wait until the owner of the gate removes it",
    };
  }
  if (scheduled?.status === "False") {
    const text = scheduled.message || scheduled.reason || "no machine accepts the pod";
    const isVolume = /volume|persistentvolumeclaim/i.test(text) && /claim|not found|unbound/i.test(text);
    const code = isVolume ? "Volume" : "Unschedulable";
    const volume = isVolume ? /"([^"]+)"/.exec(text)?.[1] : undefined;
    const named = volume ? `volume ${volume}: ${text}` : text;
    return { code, since: scheduled.lastTransitionTime, text: named, unblock: unblockOf(code) };
  }
  for (const { name, image, state } of statusesOf(pod)) {
    const waiting = state?.waiting;
    if (!waiting?.reason) continue;
    const isStarting = waiting.reason === "ContainerCreating" || waiting.reason === "PodInitializing";
    // With a message, the volumes of the pod cannot be prepared.
    if (isStarting && !waiting.message) continue;
    const code = isStarting ? codeOfMessage(waiting.message!) ?? "Volume" : codeOfMessage(waiting.reason) ?? "Creating";
    const message = `${waiting.reason}${waiting.message ? `: ${waiting.message}` : ""}`;
    const text = code === "Image" ? `${image || name}: ${message}` : `container ${name}: ${message}`;
    return { code, text, unblock: unblockOf(code, waiting.reason) };
  }
  return undefined;
}

const QUEUE_LABEL = "kueue.x-k8s.io/queue-name";

function reasonOfRunning(input: ExplainInput, node: NodeStatus, pod: Pod): Reason {
  const parts = partsOf(input, node, pod);
  const template = storedTemplateOf(input.workflow, node);
  const mains = (pod.status?.containerStatuses ?? []).filter(({ name }) => !isAux(name));
  const image = mains.find(({ state }) => codeOfMessage(state?.waiting?.reason ?? "") === "Image");
  if (image) {
    const { reason: word, message } = image.state!.waiting!;
    const text = `${image.image || image.name}: ${word}${message ? `: ${message}` : ""}`;
    return reason("Image", { ...parts, text, unblock: unblockOf("Image") });
  }
  const hasEnded = mains.length > 0 && mains.every(({ state }) => state?.terminated);
  if (isOver(node) || input.spec.shutdown && !hasEnded && isOver({ ...node, taskResultSynced: true })) {
    return reason("Kill", { ...parts, text: killText(node, pod), unblock: BY_ITSELF });
  }
  if (hasEnded) return awaitsReport(input, parts, pod);
  const since = mains.find(({ state }) => state?.running)?.state?.running?.startedAt ?? parts.since;
  if (isStaging(input, node, pod, template)) return staging(parts, node, since);
  if (template?.daemon && !mains.every(({ ready }) => ready)) {
    const waiting = mains.filter(({ ready }) => !ready).map(({ name }) => name).join(", ");
    const text = `daemon is not ready: ${waiting} does not pass its readiness probe`;
    return reason("Probe", { ...parts, since, text, unblock: "see the daemon's log" });
  }
  const condition = template?.resource?.successCondition;
  if (condition) {
    const text = `object ${objectIn(template?.resource?.manifest)}: successCondition ${condition} is not met`;
    return reason("Condition", { ...parts, since, text, unblock: "wait for the object's controller" });
  }
  return running(parts, node, since, pod.spec?.nodeName);
}

/** The kind and name of the object in a manifest, if each is on a separate line. The manifest is not parsed. */
function objectIn(manifest = ""): string {
  const fields = new Map<string, string>();
  for (const line of manifest.slice(0, MAX_MANIFEST_CHARACTERS).split("\n")) {
    const [name = "", ...value] = line.split(":");
    const key = unquoted(name);
    if (value.length && !fields.has(key)) fields.set(key, unquoted(value.join(":")));
  }
  const parts = [fields.get("kind"), fields.get("name") ?? fields.get("generateName")].filter(Boolean);
  return parts.join(" ") || "of the manifest";
}

const MAX_MANIFEST_CHARACTERS = 4096;

function unquoted(text: string): string {
  return text.replaceAll(/["',]/g, "").trim();
}

function killText(node: NodeStatus, pod: Pod): string {
  const grace = pod.spec?.terminationGracePeriodSeconds;
  const when = node.finishedAt ? ` at ${node.finishedAt}` : "";
  return `being stopped${when}${grace === undefined ? "" : `, grace period ${grace}s`}`;
}

/** Whether inputs are being fetched: the supervisor creates the task result when it starts main. */
function isStaging({ evidence }: ExplainInput, node: NodeStatus, pod: Pod, template: Template | undefined): boolean {
  if (!template?.inputs?.artifacts?.length && !node.inputs?.artifacts?.length) return false;
  if (!pod.spec?.containers?.some(({ name }) => name === CONTAINER.supervisor)) return false;
  const report = evidence.taskResults?.get(node.id);
  return evidence.taskResults !== undefined &&
    (report === undefined || isProblem(report) || report.metadata.labels?.[LABEL.reportOutputsCompleted] === undefined);
}

function staging(parts: PodParts, node: NodeStatus, since: string | undefined): Reason {
  const names = (node.inputs?.artifacts ?? []).map(({ name }) => name);
  const text = names.length ? `inputs: artifact ${names.join(", ")}` : "the pod is being prepared";
  return reason("Staging", { ...parts, ...(since ? { since } : {}), text, unblock: BY_ITSELF });
}

function running(
  parts: PodParts,
  node: NodeStatus,
  since: string | undefined,
  machine: string | undefined,
): Reason {
  const progress = node.progress && !node.progress.endsWith("/1") ? `, progress ${node.progress}` : "";
  const text = `running${since ? ` since ${since}` : ""}${machine ? ` on ${machine}` : ""}${progress}`;
  return reason("Running", {
    ...parts,
    ...(since ? { since } : {}),
    text,
    unblock: BY_ITSELF,
  });
}

function statusesOf(pod: Pod): ContainerStatus[] {
  return [...pod.status?.initContainerStatuses ?? [], ...pod.status?.containerStatuses ?? []];
}

const CODE_PATTERNS: readonly (readonly [RegExp, ReasonCode])[] = [
  [/ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable/, "Image"],
  [/exceeded quota/, "Quota"],
  [/resourceRateLimit|rate limit/i, "Rate"],
  [/Unschedulable|FailedScheduling|nodes are available/, "Unschedulable"],
  [/FailedMount|FailedAttachVolume|FailedMapVolume|MountVolume|persistentvolumeclaim/i, "Volume"],
];

/** The code for a reason or message of Kubernetes, which also appear in Argo's messages. */
function codeOfMessage(message: string): ReasonCode | undefined {
  return CODE_PATTERNS.find(([pattern]) => pattern.test(message))?.[1];
}

function unblockOf(code: ReasonCode | undefined, word = ""): string {
  switch (code) {
    case "Image":
      return "fix the image's name, its registry, or the pull secret; Kubernetes retries";
    case "Quota":
      return "make room in the namespace's quota; it is retried";
    case "Unschedulable":
      return "add a machine that fits, or change the template's requests, selectors or tolerations";
    case "Volume":
      return "fix the volume, its claim, or its Secret or ConfigMap; Kubernetes retries";
    default:
      return UNBLOCK_OF_WORD[word] ?? BY_ITSELF;
  }
}

const FIX_CONTAINER = "fix the container's Secrets, ConfigMaps, user or command; Kubernetes retries";

/** The action against a reason of Kubernetes that has no code. */
const UNBLOCK_OF_WORD: Readonly<Record<string, string>> = {
  CreateContainerConfigError: FIX_CONTAINER,
  CreateContainerError: FIX_CONTAINER,
  RunContainerError: FIX_CONTAINER,
  FailedCreatePodSandBox: "check the network and the container runtime of the machine; Kubernetes retries",
};
