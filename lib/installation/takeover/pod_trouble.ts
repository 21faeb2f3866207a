/** The reason why the pods of a Deployment are not available, as shown by `kubectl describe`. */
import * as z from "zod";
import { DEPLOYMENTS, type KubeClient, PODS } from "@tiphys/kube";
import { NOT_READY, podWarning } from "@tiphys/service/pod_warnings";

const Condition = z.object({ type: z.string(), status: z.string(), message: z.string().default("") });
const Deployment = z.object({
  spec: z.object({ selector: z.object({ matchLabels: z.record(z.string(), z.string()).default({}) }) }),
  status: z.object({ conditions: z.array(Condition).default([]) }).default({ conditions: [] }),
});
const Reason = z.object({ reason: z.string().default(""), message: z.string().default("") });
const ContainerStatus = z.object({
  name: z.string(),
  ready: z.boolean().default(false),
  state: z.object({ waiting: Reason.optional(), running: z.unknown().optional() }).default({}),
  lastState: z.object({ terminated: Reason.extend({ exitCode: z.number() }).optional() }).default({}),
});
const Pod = z.object({
  metadata: z.object({ name: z.string(), uid: z.string().optional() }),
  status: z.object({
    conditions: z.array(Condition).default([]),
    containerStatuses: z.array(ContainerStatus).default([]),
  }),
});
type Pod = z.infer<typeof Pod>;

/** The maximum number of characters of a message. */
const MAX_MESSAGE_LENGTH = 300;
const MAX_PODS = 100;
const MAX_PODS_WITH_EVENTS = 5;

/** Returns the first reason with its pod; undefined if none is known, or reading is forbidden. */
export async function podTrouble(client: KubeClient, namespace: string, name: string): Promise<string | undefined> {
  try {
    const { spec, status } = Deployment.parse(await client.get(DEPLOYMENTS, namespace, name));
    const labelSelector = Object.entries(spec.selector.matchLabels).map(([key, value]) => `${key}=${value}`).join(",");
    const { items } = await client.list(PODS, namespace, { labelSelector, limit: MAX_PODS });
    const pods = items.flatMap((item) => Pod.safeParse(item).data ?? []);
    const inStatus = pods.map(troubleOf).find((trouble) => trouble !== undefined);
    return inStatus ?? await troubleInEvents(client, namespace, pods) ??
      messageIn(status.conditions, "ReplicaFailure", "True");
  } catch {
    return undefined;
  }
}

/** Finds a pod whose containers cannot be created, or run and do not become ready. */
async function troubleInEvents(
  client: KubeClient,
  namespace: string,
  pods: readonly Pod[],
): Promise<string | undefined> {
  for (const { metadata, status } of pods.slice(0, MAX_PODS_WITH_EVENTS)) {
    const isRunning = status.containerStatuses.some(({ state, ready }) => state.running && !ready);
    const warning = await podWarning(client, namespace, metadata, isRunning ? NOT_READY : undefined);
    if (warning) return `pod ${metadata.name}: ${warning.reason}: ${warning.message.slice(0, MAX_MESSAGE_LENGTH)}`;
  }
  return undefined;
}

function troubleOf(pod: Pod): string | undefined {
  const trouble = pod.status.containerStatuses.map(waitingFor).find((candidate) => candidate !== undefined) ??
    messageIn(pod.status.conditions, "PodScheduled", "False");
  return trouble && `pod ${pod.metadata.name}: ${trouble}`;
}

function waitingFor({ name, ready, state, lastState }: z.infer<typeof ContainerStatus>): string | undefined {
  const { waiting } = state;
  if (ready || waiting === undefined || waiting.reason === "ContainerCreating") return undefined;
  const ended = lastState.terminated ? `exit code ${lastState.terminated.exitCode}` : "";
  const details = lastState.terminated?.message || waiting.message;
  return [`container ${name}: ${waiting.reason}`, ended, details.slice(0, MAX_MESSAGE_LENGTH)].filter(Boolean).join(
    ": ",
  );
}

function messageIn(conditions: readonly z.infer<typeof Condition>[], type: string, status: string): string | undefined {
  const condition = conditions.find((condition) => condition.type === type && condition.status === status);
  return condition?.message.slice(0, MAX_MESSAGE_LENGTH) || undefined;
}
