/** The status of a pod as the kubelet and the executor report it. */
import type { ContainerStatus, Pod, Template, WorkflowTaskResult } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { auxNameOf, isMainName } from "@tiphys/engine/pod";
import type { ContainerEnd, PodEnd } from "./pod_end.ts";

/** The name of the Kubernetes node of every pod. */
const HOST = "simulated";

/** Returns the pod as running with the given IP address. */
export function withRunningStatus(pod: Pod, time: string, address: string): Pod {
  return {
    ...pod,
    spec: { ...pod.spec, nodeName: HOST },
    status: {
      phase: "Running",
      startTime: time,
      podIP: address,
      containerStatuses: pod.spec.containers.map(({ name, image }) =>
        statusOf(name, image, { running: { startedAt: time } })
      ),
    },
  };
}

/** Returns the pod as ended. */
export function withEndedStatus(pod: Pod, template: Template, end: PodEnd, time: string): Pod {
  const startedAt = pod.status?.startTime ?? time;
  const aux = auxNameOf(pod);
  // In a pod without an auxiliary container, the main container is the executor.
  const own = pod.spec.containers.some(({ name }) => name === aux) ? undefined : end.executor;
  const endOf = (name: string): ContainerEnd => {
    if (isMainName(name, template)) return own ?? end.members?.[name] ?? end.main;
    return name === aux ? end.executor ?? SUCCESS : SUCCESS;
  };
  const statuses = pod.spec.containers.map(({ name, image }) => {
    const { exitCode, message } = endOf(name);
    const reason = exitCode === 0 ? "Completed" : "Error";
    return statusOf(name, image, { terminated: { exitCode, reason, message, startedAt, finishedAt: time } });
  });
  return {
    ...pod,
    status: {
      ...pod.status,
      ...end.byKubelet,
      phase: hasSucceeded(end) ? "Succeeded" : "Failed",
      containerStatuses: statuses,
    },
  };
}

const SUCCESS: ContainerEnd = { exitCode: 0 };

function hasSucceeded({ main, members, executor, byKubelet }: PodEnd): boolean {
  const ends = [main, ...Object.values(members ?? {}), executor ?? SUCCESS];
  return byKubelet === undefined && ends.every(({ exitCode }) => exitCode === 0);
}

function statusOf(name: string, image: string | undefined, state: ContainerStatus["state"]): ContainerStatus {
  return {
    name,
    image: image ?? "",
    imageID: "",
    ready: state?.running !== undefined,
    restartCount: 0,
    state,
  };
}

/** Returns the executor's report of a pod that ended. */
export function reportOf(pod: Pod, nodeId: string, end: PodEnd): WorkflowTaskResult {
  return {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata: {
      name: nodeId,
      namespace: pod.metadata.namespace,
      labels: {
        [LABEL.workflow]: pod.metadata.labels?.[LABEL.workflow] ?? "",
        [LABEL.reportOutputsCompleted]: "true",
      },
    },
    ...(hasSucceeded(end) ? { phase: "Succeeded" as const } : {}),
    ...(end.outputs ? { outputs: end.outputs } : {}),
  };
}
