/** The resources that pods held, in seconds (`resourcesDuration`). */
import type { Container, Pod } from "@tiphys/model/api";
import { Quantity } from "@tiphys/base/go";
import { millisOf } from "@tiphys/model/status";

/**
 * Seconds of each resource that something held, each counted in its base: one CPU, 100 MiB of memory, 10 GiB of
 * storage.
 */
export type Durations = Readonly<Record<string, number>>;

/**
 * The amount of each resource that counts as 1 per second: 100 MiB of memory, 10 GiB of storage; 1 for all others, as
 * one CPU.
 */
const BASE: Readonly<Record<string, number>> = {
  memory: 100 * 2 ** 20,
  storage: 10 * 2 ** 30,
  "ephemeral-storage": 10 * 2 ** 30,
};
const DEFAULTS: Readonly<Record<string, string>> = { cpu: "100m", memory: "100Mi" };

/**
 * Seconds of each resource that a pod held: the requests of its containers, times the whole seconds they ran, rounded
 * down for each. A container that still runs counts up to now, because a node may end before its pod does. Requests of
 * the pod as a whole are one budget, so they count once, for the first container without its own.
 */
export function resourcesDurationOf(pod: Pod, now: Date): Record<string, number> {
  const total: Record<string, number> = {};
  const statuses = new Map(
    [...pod.status?.initContainerStatuses ?? [], ...pod.status?.containerStatuses ?? []].map((s) => [s.name, s]),
  );
  let podRequests = requestsOf(pod.spec);
  for (const container of [...pod.spec?.initContainers ?? [], ...pod.spec?.containers ?? []]) {
    const own = requestsOf(container);
    const requests: Record<string, string> = { ...DEFAULTS, ...(own ?? podRequests) };
    if (!own) podRequests = undefined;
    const { terminated, running } = statuses.get(container.name)?.state ?? {};
    const started = millisOf(terminated?.startedAt ?? running?.startedAt);
    const finished = terminated ? millisOf(terminated.finishedAt) : now.getTime();
    const seconds = Math.trunc(Math.max(0, finished - started) / 1000) || 0;
    for (const [resource, quantity] of Object.entries(requests)) {
      const amount = Math.ceil(Quantity.parse(String(quantity)).toNumber() * 1000) / 1000;
      addDurations(total, { [resource]: Math.trunc(amount * seconds / (BASE[resource] ?? 1)) });
    }
  }
  return total;
}

/** Requests over limits; undefined if both are empty. */
function requestsOf(
  { resources }: { resources?: Container["resources"] } = {},
): Record<string, string> | undefined {
  const requests = { ...resources?.limits, ...resources?.requests } as Record<string, string>;
  return Object.keys(requests).length ? requests : undefined;
}

/** Adds to a sum, in place. */
export function addDurations(sum: Record<string, number>, more: Durations): Record<string, number> {
  for (const [resource, seconds] of Object.entries(more)) sum[resource] = (sum[resource] ?? 0) + seconds;
  return sum;
}

/** The seconds of each resource in `some` minus those in `less`; undefined if both are undefined. */
export function subtractDurations(some: Durations | undefined, less: Durations | undefined): Durations | undefined {
  if (!less) return some;
  const rest: Record<string, number> = { ...some };
  for (const [resource, seconds] of Object.entries(less)) rest[resource] = (rest[resource] ?? 0) - seconds;
  return rest;
}

/** Whether two durations are the same. */
export function sameDurations(some: Durations | undefined, other: Durations | undefined): boolean {
  if (some === other) return true;
  if (!some || !other || Object.keys(some).length !== Object.keys(other).length) return false;
  return Object.keys(some).every((resource) => some[resource] === other[resource]);
}
