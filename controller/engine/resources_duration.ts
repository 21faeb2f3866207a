import type { Pod } from "../../lib/api/mod.ts";
import { Quantity } from "../../lib/go/mod.ts";
import { millisOf } from "./time.ts";

/** What one second of a resource is counted in: 1 CPU, 100 MiB of memory, 10 GiB of storage (features S-32). */
const BASE: Readonly<Record<string, number>> = {
  memory: 100 * 2 ** 20,
  storage: 10 * 2 ** 30,
  "ephemeral-storage": 10 * 2 ** 30,
};
const DEFAULTS: Readonly<Record<string, string>> = { cpu: "100m", memory: "100Mi" };

/** Seconds of each resource that a pod held: what its containers asked for, times how long they ran. */
export function resourcesDurationOf(pod: Pod, now: Date): Record<string, number> {
  const total: Record<string, number> = {};
  const statuses = [...pod.status?.containerStatuses ?? [], ...pod.status?.initContainerStatuses ?? []];
  const containers = [...pod.spec?.containers ?? [], ...pod.spec?.initContainers ?? []];
  for (const status of statuses) {
    const container = containers.find(({ name }) => name === status.name);
    const started = millisOf(status.state?.terminated?.startedAt ?? status.state?.running?.startedAt);
    const finished = millisOf(status.state?.terminated?.finishedAt);
    if (!container || Number.isNaN(started)) continue;
    const seconds = Math.max(0, ((Number.isNaN(finished) ? now.getTime() : finished) - started) / 1000);
    const { requests, limits } = container.resources ?? {};
    const asked = { ...DEFAULTS, ...limits, ...requests } as Record<string, string>;
    for (const [resource, quantity] of Object.entries(asked)) {
      const amount = Quantity.parse(String(quantity)).toNumber() / (BASE[resource] ?? 1);
      total[resource] = (total[resource] ?? 0) + amount * seconds;
    }
  }
  return Object.fromEntries(Object.entries(total).map(([resource, seconds]) => [resource, Math.trunc(seconds)]));
}

/** The sum of several. */
export function addDurations(durations: Iterable<Record<string, number> | undefined>): Record<string, number> {
  const total: Record<string, number> = {};
  for (const duration of durations) {
    for (const [resource, seconds] of Object.entries(duration ?? {})) {
      total[resource] = (total[resource] ?? 0) + seconds;
    }
  }
  return total;
}
