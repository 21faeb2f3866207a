/**
 * The route with the times at which the command of each pod of a workflow started and ended, and at which the pod
 * ended.
 */
import { type Pod, readPod, type Workflow } from "@tiphys/model/api";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { type KubeObject, PODS } from "@tiphys/kube";
import { right } from "../gate/rights.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { rightsOnOne } from "./one_workflow.ts";

/** The times of a pod, as far as its containers report them. */
export interface PodTimes {
  /** The times at which main started and ended. */
  readonly started?: string;
  readonly ended?: string;
  /** The time at which the container next to main ended, which saves the outputs of main. */
  readonly saved?: string;
}

const PAGE = 500;
/** The maximum number of pods in a response, rounded up to a page. Others are omitted. */
const MAX_PODS = 5_000;

/** A route that Argo's server does not have. It returns the times of the existing pods by their names. */
export function podTimesRoute(getRow: (call: Call) => Promise<Workflow>): Route {
  return route({
    id: "WorkflowService_WorkflowPodTimes",
    method: "GET",
    path: "/api/v1/workflows/{namespace}/{name}/pod-times",
    rights: (call) => [...rightsOnOne("get")(call), right("list", PODS, call.params.namespace)],
    async answer(call) {
      const { metadata: { namespace = "", name = "" } } = await getRow(call);
      return { json: { pods: await timesOfPods(call, namespace, name) } };
    },
  });
}

async function timesOfPods({ caller, signal }: Call, namespace: string, name: string) {
  const pods: [name: string, times: PodTimes][] = [];
  let next: string | undefined;
  do {
    const page = { labelSelector: `${LABEL.workflow}=${name}`, limit: PAGE, continue: next };
    const { items, metadata } = await caller.client.list<KubeObject>(PODS, namespace, page, signal);
    for (const pod of items.map(readPod)) pods.push([pod.metadata.name ?? "", timesOf(pod)]);
    next = metadata?.continue || undefined;
  } while (next !== undefined && pods.length < MAX_PODS);
  return Object.fromEntries(pods.filter(([, times]) => Object.keys(times).length > 0));
}

function timesOf({ status }: Pod): PodTimes {
  const states = [...status?.containerStatuses ?? [], ...status?.initContainerStatuses ?? []];
  const stateOf = (...names: string[]) => states.find(({ name }) => names.includes(name))?.state;
  const main = stateOf(CONTAINER.main);
  const aux = stateOf(CONTAINER.supervisor, CONTAINER.wait);
  const [started, ended] = [main?.running?.startedAt ?? main?.terminated?.startedAt, main?.terminated?.finishedAt];
  const saved = aux?.terminated?.finishedAt;
  return { ...(started ? { started } : {}), ...(ended ? { ended } : {}), ...(ended && saved ? { saved } : {}) };
}
