/** Metrics of one queue of the controller, under its name. */
import type { QueueWatch } from "../loop/work_queue.ts";
import type { Labels, MetricRegistry } from "@tiphys/base/metrics";

/** Argo's names of queues. All of them are served from the start. */
export type QueueName =
  | "workflow_queue"
  | "workflow_ttl_queue"
  | "workflow_archive_queue"
  | "pod_cleanup_queue"
  | "cron_wf_queue";

const QUEUES: readonly QueueName[] = [
  "workflow_queue",
  "workflow_ttl_queue",
  "workflow_archive_queue",
  "pod_cleanup_queue",
  "cron_wf_queue",
];

/** Creates the metrics of busy workers, unfinished work and its duration, with 0 for each queue. */
export function createQueueMetrics(registry: MetricRegistry): void {
  for (const worker_type of QUEUES) registry.builtIn("workers_busy_count").add({ worker_type }, 0);
  const idle = QUEUES.map((queue_name) => [{ queue_name }, 0] as const);
  for (const name of ["queue_unfinished_work", "queue_longest_running"] as const) {
    registry.builtIn(name).addReader(() => idle);
  }
}

/** Returns an observer that counts the events of a queue. `now` returns milliseconds since 1970. */
export function queueWatch(registry: MetricRegistry, name: QueueName, now: () => number): QueueWatch {
  const labels: Labels = { queue_name: name };
  const waiting = new Map<string, number>();
  const working = new Map<string, number>();
  registry.builtIn("queue_depth_gauge").addReader(() => [[labels, waiting.size]]);
  registry.builtIn("queue_unfinished_work").addReader(() => [[labels, working.size + waiting.size]]);
  registry.builtIn("queue_longest_running").addReader(() => [[labels, longest(working.values(), now())]]);
  const adds = registry.builtIn("queue_adds_count");
  const latency = registry.builtIn("queue_latency");
  const duration = registry.builtIn("queue_duration");
  const operations = registry.builtIn("operation_duration_seconds");
  const busy = registry.builtIn("workers_busy_count");
  return {
    added(key) {
      if (waiting.has(key)) return;
      waiting.set(key, now());
      adds.add(labels);
    },
    onBegin(key) {
      const since = waiting.get(key);
      if (since !== undefined) latency.observe(labels, (now() - since) / 1000);
      waiting.delete(key);
      working.set(key, now());
      busy.add({ worker_type: name });
    },
    onEnd(key) {
      const since = working.get(key);
      if (since === undefined) return;
      working.delete(key);
      busy.add({ worker_type: name }, -1);
      duration.observe(labels, (now() - since) / 1000);
      if (name === "workflow_queue") operations.observe({}, (now() - since) / 1000);
    },
    onRetry: () => registry.builtIn("queue_retries").add(labels),
  };
}

function longest(since: Iterable<number>, now: number): number {
  let first = now;
  for (const time of since) first = Math.min(first, time);
  return (now - first) / 1000;
}
