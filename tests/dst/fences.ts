/**
 * The fences that keep controllers from interfering with each other, and a client that lacks some of them, to show that
 * each is needed.
 */
import { KubeClient, type Transport } from "@tiphys/kube";

/** The fences. */
export const FENCES = [
  /** Nothing is written when another process may have the lease. */
  "leaseGuard",
  /** The lease is written only if it has not changed since it was read. */
  "leaseVersion",
  /** A pass acts only after it has written the workflow in its own epoch. */
  "epoch",
  /** A workflow is written only if it has not changed since it was read. */
  "workflowVersion",
  /** A pod is deleted or released only if it is the observed one and unchanged. */
  "podConditions",
  /** The key with which a pod seals its report is not known to other pods. */
  "ownKey",
] as const;

export type Fence = (typeof FENCES)[number];

/** A client without some of the fences. */
export function clientWithout(without: ReadonlySet<Fence>, transport: Transport): KubeClient {
  const client = new KubeClient(without.size ? stripConditions(without, transport) : transport);
  if (without.has("leaseGuard")) client.guarded = () => client;
  return client;
}

/** A transport that removes the conditions that make requests safe. */
function stripConditions(without: ReadonlySet<Fence>, transport: Transport): Transport {
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
