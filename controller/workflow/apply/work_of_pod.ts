/** The work of a pod for its trace: how long its node was pending and running, and how long each container ran. */
import type { Pod } from "@tiphys/model/api";
import { ANNOTATION, CONTAINER } from "@tiphys/base/constants";
import { isArgoSidecar, isAux } from "@tiphys/model/container_names";
import { isExecutorInit } from "@tiphys/engine/pod";
import type { WorkName, WorkSpan } from "@tiphys/base/metrics";
import type { ActionContext } from "./action_context.ts";
import type { StageTime } from "@tiphys/base/stage_times";

/** Reports the work of a pod that has ended; does nothing if traces are disabled. */
export function reportPodWork(
  { onWork, stages }: Pick<ActionContext, "onWork" | "stages">,
  workflow: WorkSpan["workflow"],
  pod: Pod,
): void {
  if (!onWork) return;
  const told = stages?.of(workflow, pod.metadata.annotations?.[ANNOTATION.nodeId] ?? "");
  for (const work of workOfPod(workflow, pod, told)) onWork(work);
}

/** A container that ran, in milliseconds since the epoch. */
interface ContainerRun {
  readonly name: string;
  readonly began: number;
  readonly ended: number;
  readonly exitCode: number;
}

/**
 * The name of the span of one of the controller's containers. User containers run under an emissary, and are all
 * `run_main_container`.
 */
function ownName(container: string, pod: Pod): WorkName | undefined {
  if (isExecutorInit(container, pod)) return "run_init_container";
  if (container === CONTAINER.supervisor) return "run_supervisor_container";
  return container === CONTAINER.wait ? "run_wait_container" : undefined;
}

/**
 * The work of a pod that has ended, in whole seconds from the kubelet; empty for a pod without a node. `stages` are
 * those of the controller's containers in the node's report.
 */
export function workOfPod(workflow: WorkSpan["workflow"], pod: Pod, stages: readonly StageTime[] = []): WorkSpan[] {
  const nodeId = pod.metadata.annotations?.[ANNOTATION.nodeId];
  if (!nodeId) return [];
  const { uid = "", creationTimestamp = "" } = pod.metadata;
  const told = { workflow, nodeId };
  const ran = containersOf(pod);
  const containers = ran.map(({ name, began, ended, exitCode }): WorkSpan => ({
    ...told,
    name: ownName(name, pod) ?? "run_main_container",
    key: `${uid} ${name}`,
    began,
    ended,
    attributes: { container: name, exitCode: String(exitCode) },
    failure: exitCode === 0 ? undefined : `exit code ${exitCode}`,
  }));
  const reporter = ran.find(({ name }) => isAux(name));
  const loader = ran.find(({ name }) => isExecutorInit(name, pod)) ?? reporter;
  for (const stage of reporter ? stages : []) {
    const container = stage.name === "load_artifacts" ? loader : reporter;
    if (container) containers.push(...stageWithin(container, stage, { ...told, partOf: `${uid} ${container.name}` }));
  }
  const users = ran.filter(({ name }) => ownName(name, pod) === undefined);
  const made = Date.parse(creationTimestamp);
  if (users.length === 0 || Number.isNaN(made)) return containers;
  const started = Math.min(...users.map(({ began }) => began));
  const over = Math.max(...ran.map(({ ended }) => ended));
  const phase = (name: string, began: number, ended: number): WorkSpan => ({
    ...told,
    name: "node_phase",
    key: `${uid} ${name}`,
    began,
    ended: Math.max(began, ended),
    attributes: { phase: name },
  });
  return [phase("Pending", made, started), phase("Running", started, over), ...containers];
}

/**
 * A stage of a container, limited to its time: the report is not trusted, and may be from another pod of the node. The
 * kubelet drops the fraction of the second in which the container ended.
 */
function stageWithin(
  container: ContainerRun,
  { name, began, ended, hasFailed }: StageTime,
  labels: Pick<WorkSpan, "workflow" | "nodeId"> & { readonly partOf: string },
): WorkSpan[] {
  const end = container.ended + SECOND_MILLIS;
  const within = (millis: number) => Math.min(Math.max(millis, container.began), end);
  if (ended < began || ended < container.began || began > end) return [];
  return [{
    ...labels,
    name,
    key: `${labels.partOf} ${name}`,
    began: within(began),
    ended: within(ended),
    attributes: { container: container.name },
    failure: hasFailed ? "failed" : undefined,
  }];
}

const SECOND_MILLIS = 1000;

/** The containers that ran, except those of artifact plugins. */
function containersOf({ status }: Pod): ContainerRun[] {
  const all = [...status?.initContainerStatuses ?? [], ...status?.containerStatuses ?? []];
  return all.flatMap(({ name, state }) => {
    if (isArgoSidecar(name) && !isAux(name)) return [];
    const { startedAt, finishedAt, exitCode = 0 } = state?.terminated ?? {};
    const [began, ended] = [Date.parse(startedAt ?? ""), Date.parse(finishedAt ?? "")];
    // A container that never ran has the zero time, or no time.
    return began > 0 && ended > 0 ? [{ name, began, ended: Math.max(began, ended), exitCode }] : [];
  });
}
