/** The optional components of the server for logins and for events grant exactly the rights that are needed. */
import { assertEquals } from "@std/assert";
import { CONFIGMAPS, EVENTS, type KubeObject, SECRETS, SERVICE_ACCOUNTS, WORKFLOW_EVENT_BINDINGS } from "@tiphys/kube";
import { SERVER, serverComponents, serverObjects } from "../../scripts/gen_server.ts";
import type { Rule } from "@tiphys/installation/preflight";
import { inNamespace, type KubernetesManifest, NAMESPACE } from "../../scripts/manifest_objects.ts";
import { readFlags, runServer, serverCommand } from "../../server/mod.ts";
import { logInAt, providerBench } from "../../server/sso/testing/login_bench.ts";
import { awaitFact } from "../await_fact.ts";
import { type EmbeddedWithRoles, embeddedWithRoles } from "./embedded_account.ts";

/** The accounts and roles of the server with a component. With `without`, a rule of the component lacks a verb. */
function objectsOf(component: readonly KubernetesManifest[], without?: { readonly rule: Rule; readonly verb: string }) {
  const isRight = ({ kind }: KubernetesManifest) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind);
  const objects = [...serverObjects().cluster, ...component].filter(isRight).map(inNamespace);
  return objects.map((object) => {
    const { rules } = object as { rules?: readonly Rule[] };
    if (!rules?.some((rule) => rule === without?.rule)) return object;
    const left = rules.map((rule) =>
      rule === without?.rule ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== without?.verb) } : rule
    );
    return { ...object, rules: left };
  }) as unknown as KubeObject[];
}

function rulesOf(component: readonly KubernetesManifest[]): readonly Rule[] {
  return component.flatMap((object) => (object as { rules?: readonly Rule[] }).rules ?? []);
}

const secret = (name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: NAMESPACE },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
});

/**
 * Runs a server with the rights of `objects`, and calls `use` with its URL. Returns the error if the server does not
 * start.
 */
async function withServerOf(
  cluster: EmbeddedWithRoles,
  objects: readonly KubeObject[],
  flags: readonly string[],
  use: (url: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  await cluster.apply(objects);
  const stop = new AbortController();
  const lines: string[] = [];
  const kubeconfig = await cluster.kubeconfig(NAMESPACE, SERVER);
  const where = ["--kubeconfig", kubeconfig, "--port", "0", "--address", "127.0.0.1", "--secure=false"];
  const command = serverCommand().parse([...where, "--namespace", NAMESPACE, ...flags], { from: "user" });
  const world = { env: () => undefined, write: (line: string) => void lines.push(line) };
  let failure: unknown;
  const running = runServer(readFlags(command), world, stop.signal).catch((error) => failure = error);
  try {
    const url = () => /url=(\S+)/.exec(lines.join("\n"))?.[1];
    await awaitFact(
      "the server listens or fails",
      () => Promise.resolve(url() !== undefined || failure !== undefined),
      {
        seconds: 60,
      },
    );
    return failure === undefined ? await use(url()!) : String(failure);
  } finally {
    stop.abort();
    await running;
  }
}

/** Logs a user in, who must get the service account of a rule. Returns undefined on success, otherwise the error. */
async function logInWithRules(objects: readonly KubeObject[]): Promise<string | undefined> {
  await using provider = await providerBench();
  await using cluster = await embeddedWithRoles();
  const sso = JSON.stringify({
    issuer: provider.url,
    clientId: { name: "client", key: "id" },
    clientSecret: { name: "client", key: "secret" },
    rbac: { enabled: true },
  });
  await cluster.admin.create(SECRETS, NAMESPACE, secret("client", { id: "a", secret: "b" }));
  await cluster.admin.create(CONFIGMAPS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "workflow-controller-configmap" },
    data: { sso },
  });
  await account(cluster, "reader", { "workflows.argoproj.io/rbac-rule": "true" });
  return await withServerOf(cluster, objects, ["--auth-mode", "sso"], async (url) => {
    const response = await fetch(`${url}/api/v1/userinfo`, { headers: { authorization: await logInAt(url) } });
    const text = await response.text();
    return response.ok && JSON.parse(text).serviceAccountName === "reader" ? undefined : text;
  });
}

/** Creates a service account with a valid token. */
async function account(cluster: EmbeddedWithRoles, name: string, annotations: Readonly<Record<string, string>>) {
  await cluster.admin.create(SERVICE_ACCOUNTS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name, annotations },
  });
  await cluster.admin.create(
    SECRETS,
    NAMESPACE,
    secret(`${name}.service-account-token`, { token: cluster.adminToken }),
  );
}

/**
 * Sends a webhook whose event binding fails. Returns undefined if the failure is recorded as an event, otherwise the
 * error.
 */
async function sendFailingWebhook(objects: readonly KubeObject[]): Promise<string | undefined> {
  await using cluster = await embeddedWithRoles();
  await account(cluster, "hooks", {});
  await cluster.admin.create(
    SECRETS,
    NAMESPACE,
    secret("argo-workflows-webhook-clients", { hooks: "type: gitlab\nsecret: s3cret" }),
  );
  await cluster.admin.create(WORKFLOW_EVENT_BINDINGS, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowEventBinding",
    metadata: { name: "broken" },
    spec: { event: { selector: "nobody.knows" } },
  });
  return await withServerOf(cluster, objects, [], async (url) => {
    const response = await fetch(`${url}/api/v1/events/${NAMESPACE}/`, {
      method: "POST",
      headers: { "x-gitlab-event": "Push Hook", "x-gitlab-token": "s3cret" },
      body: "{}",
    });
    const text = await response.text();
    if (response.status !== 500) return text;
    const { items } = await cluster.admin.list<{ reason: string }>(EVENTS, NAMESPACE);
    return items.some(({ reason }) => reason === "WorkflowEventBindingError") ? undefined : "no warning";
  });
}

const CASES = [
  ["login", serverComponents().sso, logInWithRules],
  ["webhook with a failing event binding", serverComponents().events, sendFailingWebhook],
] as const;

for (const [title, component, works] of CASES) {
  Deno.test(`${title}: works with the rights that the component adds`, async () => {
    assertEquals(await works(objectsOf(component)), undefined);
  });

  for (const rule of rulesOf(component)) {
    for (const verb of rule.verbs) {
      Deno.test(`${title}: fails without ${verb} of ${rule.resources}`, async () => {
        assertEquals(await works(objectsOf(component, { rule, verb })) === undefined, false);
      });
    }
  }
}
