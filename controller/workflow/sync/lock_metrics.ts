/** Metrics of locks, with the labels that Argo gives them. */
import { type LockItem, type LockTable, parseLockKey } from "@tiphys/engine/lock_table";
import type { Labels, MetricRegistry } from "@tiphys/base/metrics";

/** The labels of a lock. As in Argo, mutexes count as locks in ConfigMaps. */
export function labelsOf({ type, key }: Pick<LockItem, "type" | "key">): Labels {
  const { namespace, kind, name, key: inMap } = parseLockKey(key);
  return {
    type,
    storage: kind === "Database" ? "database" : "configmap",
    lock_name: inMap === undefined ? name : `${name}/${inMap}`,
    namespace,
  };
}

/** Registers the gauges, which are read from the table for each scrape. */
export function serveLockMetrics(metrics: MetricRegistry, table: Pick<LockTable, "samples">): void {
  const samples = () =>
    [...table.samples()].map(({ item, held, pending }) => ({ labels: labelsOf(item), held, pending }));
  metrics.builtIn("locks_held").addReader(() => samples().map(({ labels, held }) => [labels, held] as const));
  metrics.builtIn("locks_pending").addReader(() => samples().map(({ labels, pending }) => [labels, pending] as const));
}
