/** An embedded API with RBAC, and kubeconfigs of service accounts that have the rights of the manifests. */
import type { KubeClient, KubeObject, Resource } from "@tiphys/kube";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import { kubeconfigOf } from "../../local/kubeconfig.ts";

/** An embedded API with RBAC and TLS, like that of a real cluster. */
export interface EmbeddedWithRoles extends AsyncDisposable {
  readonly api: ApiServer;
  /** A client with all rights. */
  readonly admin: KubeClient;
  readonly adminToken: string;
  /** Creates objects, cluster-scoped and namespaced ones, like `kubectl apply`. */
  apply(objects: readonly KubeObject[]): Promise<void>;
  /** Writes a kubeconfig for a service account, and returns its path. */
  kubeconfig(namespace: string, account: string): Promise<string>;
}

/** Starts an embedded API with RBAC. It has the default namespaces of an embedded cluster. */
export async function embeddedWithRoles(): Promise<EmbeddedWithRoles> {
  const folder = await Deno.makeTempDir();
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve(0, { tls: true });
  const admin = api.client();
  return {
    api,
    admin,
    adminToken: served.token,
    async apply(objects) {
      for (const object of objects) await admin.create(resourceOf(object), object.metadata.namespace, object);
    },
    async kubeconfig(namespace, account) {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      const { status } = await admin.request<{ status: { token: string } }>("POST", path, { body });
      const file = `${folder}/${account}`;
      await Deno.writeTextFile(file, kubeconfigOf({ ...served, token: status.token, pid: Deno.pid } as never));
      return file;
    },
    async [Symbol.asyncDispose]() {
      admin.close();
      await served.close();
      api.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The resource of an object of a manifest. Assumes a regular plural. */
export function resourceOf({ apiVersion = "v1", kind = "" }: KubeObject): Resource {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: !/^(Cluster|Namespace$)/.test(kind) };
}
