/** A server of an embedded API with roles, for tests. Its callers are service accounts with given rights. */
import { ALLOW_ALL } from "@tiphys/base/net";
import { httpTransport, KubeClient, NAMESPACES, type Resource, SERVICE_ACCOUNTS, type Transport } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import type { AuthModeName } from "../gate/modes.ts";
import type { Right } from "../gate/rights.ts";
import type { Handler } from "../wire/peer.ts";
import type { Sso } from "../sso/login.ts";
import { type ServerOptions, startServer } from "../start.ts";

/** The namespace of tests. */
export const NAMESPACE = "tenant";

const ROLES: Resource = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
};
const BINDINGS: Resource = { ...ROLES, plural: "clusterrolebindings", kind: "ClusterRoleBinding" };

/** A server of an embedded API server, for one test. */
export interface ServerBench extends AsyncDisposable {
  readonly handler: Handler;
  readonly api: ApiServer;
  /** The administrator of the cluster. */
  readonly admin: KubeClient;
  /** Creates a service account with these rights in all namespaces. */
  account(rights: readonly BenchRight[]): Promise<Account>;
  /** Sends a request to the server. */
  ask(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** Advances the server's clock, in milliseconds. */
  advanceClock(millis: number): void;
}

/** A right in all namespaces. */
export type BenchRight = Pick<Right, "verb" | "group" | "resource" | "subresource">;

/** A caller with a token. */
export interface Account {
  readonly name: string;
  readonly token: string;
  /** Replaces the rights. */
  grant(rights: readonly BenchRight[]): Promise<void>;
}

/** Options of a request. */
export interface RequestOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The parts of a bench that the login needs. */
export type SsoParts = Pick<ServerOptions, "own" | "anonymous"> & {
  readonly admin: KubeClient;
  readonly now: () => Date;
};

/** Options of a server, with a function that sets up the login. */
export type BenchOptions = Partial<Omit<ServerOptions, "sso">> & { readonly sso?: (parts: SsoParts) => Promise<Sso> };

/**
 * Starts a server with these modes. Its requests to the cluster pass through `between`; those of the administrator do
 * not.
 */
export async function serverBench(
  modes: readonly AuthModeName[] = ["client"],
  options: BenchOptions = {},
  between = (transport: Transport): Transport => transport,
): Promise<ServerBench> {
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve();
  const authorization = `Bearer ${served.token}`;
  const own = httpTransport({
    server: served.url,
    credentials: () => Promise.resolve({ headers: { authorization } }),
  });
  const anonymous = httpTransport({ server: served.url, retriesUnauthorized: false });
  const cluster = { own: between(own), anonymous: between(anonymous), admin: new KubeClient(own) };
  const bench = await benchOver(cluster, modes, options);
  return {
    ...bench,
    api,
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await served.close();
      api.close();
    },
  };
}

/** The cluster of a bench. */
export interface BenchCluster {
  readonly own: Transport;
  readonly anonymous: Transport;
  readonly admin: KubeClient;
  /** Resolves when a caller has these rights and not the others; undefined if grants take effect immediately. */
  readonly settled?: (token: string, rights: readonly BenchRight[], others: readonly BenchRight[]) => Promise<void>;
}

/** Starts a server of a cluster. */
export async function benchOver(
  { own, anonymous, admin, settled }: BenchCluster,
  modes: readonly AuthModeName[],
  { sso, ...options }: BenchOptions = {},
): Promise<Omit<ServerBench, "api">> {
  await admin.create(NAMESPACES, undefined, { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  const stop = new AbortController();
  let passed = 0;
  const now = () => new Date(Date.now() + passed);
  const handler = await startServer({
    own,
    anonymous,
    modes: new Set(modes),
    sso: await sso?.({ own, anonymous, admin, now }),
    log: silentLog,
    now,
    // The stores of tests run on this machine.
    reach: ALLOW_ALL,
    ...options,
  }, stop.signal);
  let accounts = 0;
  return {
    handler,
    admin,
    async account(rights) {
      const name = `caller-${++accounts}`;
      let granted = rights;
      const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: NAMESPACE } };
      await admin.create(SERVICE_ACCOUNTS, NAMESPACE, account);
      const subjects = [{ kind: "ServiceAccount", name, namespace: NAMESPACE }];
      const roleRef = { apiGroup: ROLES.group, kind: "ClusterRole", name };
      await admin.create(ROLES, undefined, role(name, rights));
      await admin.create(BINDINGS, undefined, {
        apiVersion: `${ROLES.group}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name },
        subjects,
        roleRef,
      });
      const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${name}/token`;
      const { status } = await admin.request<{ status: { token: string } }>("POST", path, {
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
      });
      return {
        name,
        token: status.token,
        async grant(next) {
          await admin.patch(ROLES, undefined, name, { rules: role(name, next).rules });
          const others = granted.filter((benchRight) => !next.some((other) => isSameRight(benchRight, other)));
          await settled?.(status.token, next, others);
          granted = next;
        },
      };
    },
    async ask(method, path, { token, body, headers, signal } = {}) {
      const request = new Request(`http://server.test${path}`, {
        method,
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      });
      return await handler(request, { address: "192.0.2.1" });
    },
    advanceClock(millis) {
      passed += millis;
    },
    [Symbol.asyncDispose]() {
      stop.abort();
      admin.close();
      anonymous.close();
      return Promise.resolve();
    },
  };
}

function isSameRight(benchRight: BenchRight, other: BenchRight): boolean {
  return benchRight.verb === other.verb && benchRight.group === other.group && benchRight.resource === other.resource &&
    benchRight.subresource === other.subresource;
}

function role(name: string, rights: readonly BenchRight[]) {
  return {
    apiVersion: `${ROLES.group}/v1`,
    kind: "ClusterRole",
    metadata: { name },
    rules: rights.map(({ verb, group, resource, subresource }) => ({
      verbs: [verb],
      apiGroups: [group],
      resources: [subresource ? `${resource}/${subresource}` : resource],
    })),
  };
}
