/** Environment variables of the executor's protocol. */
import type { EnvVar, PodContainer, Template } from "@tiphys/model/api";
import { ENV, NO_DEADLINE, PATH } from "@tiphys/base/constants";
import { isAux } from "@tiphys/model/container_names";
import { DurationError, parseDuration } from "@tiphys/base/go";
import type { PodDraft } from "../layout.ts";
import type { NodeTrace, PodRequest } from "../request.ts";

/** The variables that identify the pod and its workflow, for containers that run the executor's image. */
export function identityEnv({ workflow, config }: PodRequest): EnvVar[] {
  return [
    { name: ENV.podName, valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
    { name: ENV.podUid, valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.uid" } } },
    { name: ENV.workflowName, value: workflow.name },
    { name: ENV.workflowUid, value: workflow.uid },
    ...(config.instanceId ? [{ name: ENV.instanceId, value: config.instanceId }] : []),
    ...(config.env ?? []),
  ];
}

/** Sets the variables about the node in all containers, and the template in those that need it before it is staged. */
export function addStandardEnv(draft: PodDraft): void {
  const { pod, layout, activeLimit } = draft;
  const template: EnvVar = { name: ENV.template, value: templateText(draft.template) };
  for (const container of [...pod.spec.initContainers ?? [], ...pod.spec.containers]) {
    setEnv(container, ownEnv(container.name, draft.request));
    if (draft.request.trace) continueTrace(container, draft.request.trace);
    const keepsDeadline = isAux(container.name) || layout.isStager(container);
    if (keepsDeadline && activeLimit) setEnv(container, [{ name: ENV.activeDeadline, value: String(activeLimit) }]);
    if (layout.hasTemplateVariable(container, draft)) setEnv(container, [template]);
    if (draft.isSingle) removeProgressVariables(container);
  }
}

/** Makes the node's span the parent of spans in a container, unless the template sets TRACEPARENT. */
function continueTrace(container: PodContainer, { traceId, spanId }: NodeTrace): void {
  if (container.env?.some(({ name }) => name === ENV.traceParent)) return;
  setEnv(container, [{ name: ENV.traceParent, value: `00-${traceId}-${spanId}-01` }]);
}

/** Removes the variables of the progress file from a container of a pod that does not report progress. */
function removeProgressVariables(container: PodContainer): void {
  container.env = container.env?.filter(({ name }) => !PROGRESS_VARIABLES.has(name));
}

const PROGRESS_VARIABLES: ReadonlySet<string> = new Set([
  ENV.progressFile,
  ENV.progressPatchTick,
  ENV.progressFileTick,
]);

/** The variables with the name of the container and its node. */
export function ownEnv(container: string, request: PodRequest): EnvVar[] {
  return [{ name: ENV.containerName, value: container }, ...nodeEnv(request)];
}

/** Appends variables to a container's list, and removes earlier ones of the same name. */
export function setEnv(container: PodContainer, variables: readonly EnvVar[]): void {
  const names = new Set(variables.map(({ name }) => name));
  container.env = [...(container.env ?? []).filter(({ name }) => !names.has(name)), ...variables];
}

/** The value of ARGO_TEMPLATE, without input parameters: they are substituted already and may be large. */
function templateText(template: Template): string {
  return JSON.stringify({ ...template, inputs: { artifacts: template.inputs?.artifacts } });
}

function nodeEnv(request: PodRequest): EnvVar[] {
  const { node, workflow, includeScriptOutput, deadline } = request;
  return [
    { name: ENV.nodeId, value: node.id },
    { name: ENV.includeScriptOutput, value: String(includeScriptOutput) },
    { name: ENV.deadline, value: deadline ?? NO_DEADLINE },
    { name: ENV.workflowName, value: workflow.name },
    ...progressEnv(request),
  ];
}

function progressEnv({ config }: PodRequest): EnvVar[] {
  const { progressPatchTick = "1m0s", progressFileTick = "3s" } = config;
  if (isZero(progressPatchTick) || isZero(progressFileTick)) return [];
  return [
    { name: ENV.progressFile, value: PATH.progress },
    { name: ENV.progressPatchTick, value: progressPatchTick },
    { name: ENV.progressFileTick, value: progressFileTick },
  ];
}

function isZero(duration: string): boolean {
  try {
    return parseDuration(duration) === 0n;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return false;
  }
}
