/** The requests that an API server got, by its own count. */
import type { KubeClient } from "@tiphys/kube";

/** Requests and bytes of bodies, by verb and resource (`patch pods/status`). */
export type ApiUsage = Readonly<Record<string, { readonly requests: number; readonly bytes: number }>>;

/** The server counts requests by methods, and bytes by the verbs of its own code. */
const WRITES: Readonly<Record<string, string>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  DELETECOLLECTION: "delete",
  delete_collection: "delete",
};

/** Reads the server's counters of writes to objects of workflows. */
export async function readApiUsage(client: KubeClient): Promise<ApiUsage> {
  const response = await client.transport.fetch("/metrics");
  return parseApiUsage(await response.text());
}

/**
 * Reads them from the text of the metrics. Bytes are counted without regard to subresources, so they stand with the
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

/** The requests and bytes between two readings; those of which there were none are left out. */
export function usageBetween(before: ApiUsage, after: ApiUsage): ApiUsage {
  const entries = Object.entries(after).map(([key, { requests, bytes }]) => {
    const old = before[key] ?? { requests: 0, bytes: 0 };
    return [key, { requests: requests - old.requests, bytes: bytes - old.bytes }] as const;
  });
  return Object.fromEntries(entries.filter(([, { requests, bytes }]) => requests > 0 || bytes > 0));
}
