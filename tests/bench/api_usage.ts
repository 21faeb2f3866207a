/** Reads the number of requests from an API server's own metrics. */
import type { KubeClient } from "@tiphys/kube";

/** Requests, and bytes of request bodies, by verb and resource (`patch pods/status`). */
export type ApiUsage = Readonly<Record<string, { readonly requests: number; readonly bytes: number }>>;

/** The server counts requests by method, and bytes by its internal verbs. */
const WRITES: Readonly<Record<string, string>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  DELETECOLLECTION: "delete",
  delete_collection: "delete",
};

/** Reads the counters of writes to objects of workflows. */
export async function readApiUsage(client: KubeClient): Promise<ApiUsage> {
  const response = await client.transport.fetch("/metrics");
  return parseApiUsage(await response.text());
}

/**
 * Parses the counters in a metrics response. The server counts bytes without the subresource, so they are added to the
 * resource itself.
 */
export function parseApiUsage(text: string): ApiUsage {
  const usage: Record<string, { requests: number; bytes: number }> = {};
  const entry = (key: string) => usage[key] ??= { requests: 0, bytes: 0 };
  for (const line of text.split("\n")) {
    const match = /^(apiserver_request_total|apiserver_request_body_size_bytes_sum)\{(.*)\} (\S+)$/.exec(line);
    if (!match) continue;
    const [, metric = "", written = "", value] = match;
    const labels: Record<string, string | undefined> = Object.fromEntries(
      [...written.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    if (!isOfWorkflows(labels)) continue;
    const verb = WRITES[labels.verb ?? ""];
    if (metric.endsWith("_sum")) entry(`${verb ?? labels.verb} ${labels.resource}`).bytes += Number(value);
    else if (verb) {
      const resource = labels.subresource ? `${labels.resource}/${labels.subresource}` : labels.resource;
      entry(`${verb} ${resource}`).requests += Number(value);
    }
  }
  return usage;
}

const RESOURCES = new Set(["pods", "events", "configmaps"]);

function isOfWorkflows({ group, resource = "" }: Record<string, string | undefined>): boolean {
  return group === "argoproj.io" || (RESOURCES.has(resource) && (group === "" || group === "events.k8s.io"));
}

/** The requests and bytes between two readings, without those that are zero. */
export function usageBetween(before: ApiUsage, after: ApiUsage): ApiUsage {
  const entries = Object.entries(after).map(([key, { requests, bytes }]) => {
    const old = before[key] ?? { requests: 0, bytes: 0 };
    return [key, { requests: requests - old.requests, bytes: bytes - old.bytes }] as const;
  });
  return Object.fromEntries(entries.filter(([, { requests, bytes }]) => requests > 0 || bytes > 0));
}
