/**
 * Metrics of the controller itself: its log messages, its requests to the API server, and the workflows and pods that
 * it sees.
 */
import { WORKFLOW_PHASES } from "@tiphys/model/status";
import type { Pod } from "@tiphys/model/api";
import type { KubeObject, Transport } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { MetricRegistry, type RegistryOptions } from "@tiphys/base/metrics";
import { createQueueMetrics } from "./queue_metrics.ts";
import { pendingMessage } from "@tiphys/engine/pod";
import { VERSION } from "@tiphys/base/version";

/** Go's names of architectures, which Argo's dashboards use, by Deno's names. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

/** Creates the metrics of a controller. Those that exist from the start are served even before their first event. */
export function controllerMetrics(options: RegistryOptions): MetricRegistry {
  const registry = new MetricRegistry(options);
  for (const cause of ["OperationPanic", "CronWorkflowSubmissionError", "CronWorkflowSpecError"]) {
    registry.builtIn("error_count").add({ cause }, 0);
  }
  for (const level of ["debug", "info", "warning", "error"]) registry.builtIn("log_messages").add({ level }, 0);
  for (const node_phase of ["Pending", "Running"]) {
    for (const recently_started of ["true", "false"]) {
      registry.builtIn("pod_missing").add({ node_phase, recently_started }, 0);
    }
  }
  registry.builtIn("is_leader").set({}, 0);
  const { build: { arch, os }, version } = Deno;
  registry.builtIn("version").add({
    version: `v${VERSION}`,
    platform: `${os}/${ARCHITECTURES[arch] ?? arch}`,
    go_version: `deno${version.deno}`,
    build_date: "",
    compiler: `v8 ${version.v8}`,
    git_commit: "",
    git_tree_state: "",
    git_tag: `v${VERSION}`,
  });
  createQueueMetrics(registry);
  return registry;
}

/** A log that counts its messages. */
export function countingLog(log: Log, registry: MetricRegistry): Log {
  const lines = registry.builtIn("log_messages");
  const counted = (level: keyof Log, name: string): Log["info"] => (message, fields) => {
    lines.add({ level: name });
    log[level](message, fields);
  };
  return {
    debug: counted("debug", "debug"),
    info: counted("info", "info"),
    warn: counted("warn", "warning"),
    error: counted("error", "error"),
  };
}

/** Observes how long requests wait before they are sent, in milliseconds, as soon as the metrics exist. */
export function waitObserver(metrics: () => MetricRegistry | undefined): (millis: number) => void {
  return (millis) => metrics()?.builtIn("client_rate_limiter_latency").observe({}, millis / 1000);
}

/** A transport that counts and times requests (a watch until its first response), as soon as the metrics exist. */
export function countingTransport(transport: Transport, metrics: () => MetricRegistry | undefined): Transport {
  const counted = async <T>(
    method: string,
    path: string,
    send: () => Promise<T>,
    statusOf: (answer: T) => number,
  ): Promise<T> => {
    const began = performance.now();
    let status = 0;
    try {
      const answer = await send();
      status = statusOf(answer);
      return answer;
    } finally {
      const labels = { ...requestOf(method, path), status_code: String(status) };
      metrics()?.builtIn("k8s_request_total").add(labels);
      metrics()?.builtIn("k8s_request_duration").observe(labels, (performance.now() - began) / 1000);
    }
  };
  return {
    fetch: (path, init) =>
      counted(init?.method ?? "GET", path, () => transport.fetch(path, init), ({ status }) => status),
    webSocket: (path, protocols) => counted("POST", path, () => transport.webSocket(path, protocols), () => 101),
    close: () => transport.close(),
  };
}

const VERBS: Readonly<Record<string, string>> = { POST: "Create", PUT: "Update", PATCH: "Patch" };

/** The resource and the verb of a request, in client-go's terms. */
function requestOf(method: string, path: string): { readonly kind: string; readonly verb: string } {
  const [pathname = "", query = ""] = path.split("?");
  const parts = pathname.split("/").filter(Boolean);
  // /api/v1/… and /apis/GROUP/VERSION/…
  const rest = parts.slice(parts[0] === "apis" ? 3 : 2);
  const [resource = "", name, subresource] = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  const kind = subresource ? `${resource}/${subresource}` : resource;
  if (method === "DELETE") return { kind, verb: name ? "Delete" : "DeleteCollection" };
  const isWatch = new URLSearchParams(query).has("watch");
  return { kind, verb: VERBS[method] ?? (isWatch ? "Watch" : name ? "Get" : "List") };
}

/**
 * Registers two metrics of workflows that are computed for each scrape: their number by phase, and the number of those
 * with and without running pods.
 */
export function readWorkflows(registry: MetricRegistry, workflows: () => Iterable<KubeObject>): void {
  registry.builtIn("gauge").addReader(() => [
    ...WORKFLOW_PHASES.map((phase) => [{ phase }, 0] as const),
    ...mapAll(workflows(), (workflow) => [{ phase: statusOf(workflow).phase || "Pending" }, 1] as const),
  ]);
  registry.builtIn("workflow_condition").addReader(() => [
    [{ type: "PodRunning", status: "True" }, 0],
    [{ type: "PodRunning", status: "False" }, 0],
    ...flatMapIterable(workflows(), (workflow) => {
      const { conditions } = statusOf(workflow);
      return (Array.isArray(conditions) ? conditions : []).filter((condition) => condition?.type === "PodRunning").map(
        (condition) => [{ type: "PodRunning", status: String(condition.status) }, 1] as const,
      );
    }),
  ]);
}

/** Metrics of pods: some are computed for each scrape, others are counted as pods change. */
export class PodCounts {
  readonly #registry: MetricRegistry;
  /** The last counted phase of each pod, by UID. */
  readonly #phases = new Map<string, string>();
  /** The last reason for which each pod waited, by UID. */
  readonly #reasons = new Map<string, string>();

  constructor(registry: MetricRegistry, pods: () => Iterable<Pick<Pod, "status">>) {
    this.#registry = registry;
    registry.builtIn("pods_gauge").addReader(() => [
      [{ phase: "Pending" }, 0],
      [{ phase: "Running" }, 0],
      ...flatMapIterable(pods(), ({ status }) => {
        const phase = status?.phase ?? "";
        return phase === "Pending" || phase === "Running" ? [[{ phase }, 1] as const] : [];
      }),
    ]);
  }

  /** Records a change of a pod. */
  recordPod(type: "added" | "modified" | "deleted", { metadata, status }: Pick<Pod, "metadata" | "status">): void {
    const { uid = "", namespace = "" } = metadata;
    const phase = status?.phase ?? "Pending";
    if (this.#phases.get(uid) !== phase) {
      this.#phases.set(uid, phase);
      this.#registry.builtIn("pods_total_count").add({ phase, namespace });
    }
    if (type !== "deleted" && phase === "Pending") {
      return this.#countWaitingReason(uid, namespace, pendingMessage({ status }));
    }
    this.#reasons.delete(uid);
    if (type === "deleted") this.#phases.delete(uid);
  }

  /** Counts the reason why a pod waits, once per change. `PodInitializing` is not counted. */
  #countWaitingReason(uid: string, namespace: string, message: string): void {
    const reason = shortReason(message);
    if (reason === "" || reason === "PodInitializing" || this.#reasons.get(uid) === reason) return;
    this.#reasons.set(uid, reason);
    this.#registry.builtIn("pod_pending_count").add({ reason, namespace });
  }
}

/** The part of a reason before a colon. The rest is different for nearly every pod. */
function shortReason(message: string): string {
  return message.split(":")[0] ?? "";
}

function statusOf({ status }: KubeObject): { readonly phase: string; readonly conditions: unknown } {
  const { phase, conditions } = (typeof status === "object" && status !== null ? status : {}) as Record<
    string,
    unknown
  >;
  return { phase: typeof phase === "string" ? phase : "", conditions };
}

function mapAll<T, R>(all: Iterable<T>, change: (item: T) => R): R[] {
  return Array.from(all, change);
}

function flatMapIterable<T, R>(all: Iterable<T>, change: (item: T) => readonly R[]): R[] {
  const list: R[] = [];
  for (const item of all) list.push(...change(item));
  return list;
}
