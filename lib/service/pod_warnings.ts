/** The events of pods that cannot start: causes that Kubernetes reports in no status. */
import * as z from "zod";
import type { PodWarning } from "@tiphys/engine/explain";
import { classifyError, EVENTS, type KubeClient, type KubeObject } from "@tiphys/kube";
import type { Pod } from "@tiphys/model/api";
import { millisOf } from "@tiphys/model/status";

/** The maximum number of pods whose events are read. Pods of one workflow usually wait for the same reason. */
const MAX_PODS_WITH_EVENTS = 20;
const MAX_EVENTS = 100;

/** Reasons of events about pods whose containers cannot be created. */
const OBSTACLES: ReadonlySet<string> = new Set([
  "FailedScheduling",
  "FailedAttachVolume",
  "FailedMount",
  "FailedMapVolume",
  "FailedCreatePodSandBox",
  "NetworkNotReady",
]);

const PodEvent = z.object({
  type: z.string().nullish(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
  firstTimestamp: z.string().nullish(),
  lastTimestamp: z.string().nullish(),
  eventTime: z.string().nullish(),
  series: z.object({ lastObservedTime: z.string().nullish() }).nullish(),
});
type PodEvent = z.infer<typeof PodEvent>;
const PodEvents = z.array(PodEvent);

/**
 * Returns the obstacle of each pending pod by name: its last event, if that is about an obstacle. Later events mean
 * that it is gone. Empty if the caller may not list events.
 */
export async function pendingPodWarnings(
  client: KubeClient,
  namespace: string,
  pods: readonly Pod[],
): Promise<ReadonlyMap<string, PodWarning>> {
  const pending = pods.filter(({ metadata, status }) =>
    (status?.phase ?? "Pending") === "Pending" && !metadata.deletionTimestamp
  );
  const found = await Promise.all(
    pending.slice(0, MAX_PODS_WITH_EVENTS).map(async ({ metadata: { name = "", uid } }) => {
      const warning = await podWarning(client, namespace, { name, uid });
      return warning ? [[name, warning] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** Returns the last event of a pod, if it has one of the given reasons; undefined if the caller may not list events. */
export async function podWarning(
  client: KubeClient,
  namespace: string,
  { name, uid }: { readonly name: string; readonly uid?: string | undefined },
  reasons = OBSTACLES,
): Promise<PodWarning | undefined> {
  const fields = [
    `involvedObject.kind=Pod`,
    `involvedObject.name=${name}`,
    ...uid ? [`involvedObject.uid=${uid}`] : [],
  ];
  try {
    const { items } = await client.list(EVENTS, namespace, { fieldSelector: fields.join(","), limit: MAX_EVENTS });
    return lastWarning(items, reasons);
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
    return undefined;
  }
}

/** The newest of the events with the reasons that no other event follows. */
function lastWarning(items: readonly KubeObject[], reasons: ReadonlySet<string>): PodWarning | undefined {
  const events = (PodEvents.safeParse(items).data ?? []).map((event) => ({ ...event, at: lastTimeOf(event) }));
  const sorted = events.toSorted((a, b) => (millisOf(a.at) || 0) - (millisOf(b.at) || 0));
  const before = sorted.findLastIndex(({ type, reason }) => type !== "Warning" || !reasons.has(reason ?? ""));
  const open = sorted.slice(before + 1);
  // The kubelet also reports a timeout of the whole pod, which does not name the cause.
  const last = open.findLast(({ message }) => !message?.startsWith("Unable to attach or mount volumes")) ?? open.at(-1);
  if (!last?.reason) return undefined;
  return { reason: last.reason, message: last.message ?? "", at: last.firstTimestamp ?? last.eventTime ?? undefined };
}

function lastTimeOf({ series, lastTimestamp, eventTime, firstTimestamp }: PodEvent): string | undefined {
  return series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? undefined;
}

/** Reasons of events about containers that run and do not become ready. */
export const NOT_READY: ReadonlySet<string> = new Set(["Unhealthy"]);
