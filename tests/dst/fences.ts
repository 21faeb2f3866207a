/**
 * The fences that keep controllers from harming each other's work, and a client that lacks some of them: to see that
 * each is needed.
 */
import { KubeClient, type Transport } from "@tiphys/kube";

/** The fences. */
export const FENCES = [
  /** Nothing is written when the lease may be another's. */
  "leaseGuard",
  /** The lease is written as it was read. */
  "leaseVersion",
  /** A pass acts when it has written in its own epoch, and not before. */
  "epoch",
  /** A workflow is written as it was read. */
  "workflowVersion",
  /** A pod is deleted, or let go, only if it is the one that was seen and has not changed since. */
  "podConditions",
  /** The key that a pod seals its report with is known to no other pod. */
  "ownKey",
] as const;

export type Fence = (typeof FENCES)[number];

/** A client without some of the fences. */
export function clientWithout(without: ReadonlySet<Fence>, transport: Transport): KubeClient {
  const client = new KubeClient(without.size ? stripped(without, transport) : transport);
  if (without.has("leaseGuard")) client.guarded = () => client;
  return client;
}

/** A transport that takes out of requests the conditions that make them safe. */
function stripped(without: ReadonlySet<Fence>, transport: Transport): Transport {
  return {
    fetch(path, init = {}) {
      if (typeof init.body !== "string") return transport.fetch(path, init);
      const body = withoutFences(without, path, init.method ?? "GET", JSON.parse(init.body));
      return transport.fetch(path, { ...init, body: JSON.stringify(body) });
    },
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  };
}

interface Body {
  metadata?: { uid?: string; resourceVersion?: string };
  preconditions?: unknown;
}

function withoutFences(without: ReadonlySet<Fence>, path: string, method: string, body: Body): Body {
  const { metadata, preconditions } = body;
  const { resourceVersion: _version, ...unversioned } = metadata ?? {};
  const { uid: _uid, ...anyone } = unversioned;
  if (/\/leases\//.test(path) && without.has("leaseVersion")) return { ...body, metadata: unversioned };
  if (/\/workflows\//.test(path) && method === "PATCH" && without.has("workflowVersion")) {
    return { ...body, metadata: unversioned };
  }
  if (/\/pods\//.test(path) && without.has("podConditions")) {
    if (preconditions) return { ...body, preconditions: undefined };
    return method === "PATCH" ? { ...body, metadata: anyone } : body;
  }
  return body;
}
