import { assertEquals } from "@std/assert";
import { pause, systemClock } from "@tiphys/base/clock";
import { CLUSTER_WORKFLOW_TEMPLATES, type KubeObject, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import type { Rule } from "@tiphys/installation/preflight";
import { inNamespace, NAMESPACE } from "../../scripts/manifest_objects.ts";
import { SERVER, serverObjects } from "../../scripts/gen_server.ts";
import { rulesOfRoutes } from "../../scripts/server_roles.ts";
import { readFlags, runServer, serverCommand } from "../../server/mod.ts";
import { type EmbeddedWithRoles, embeddedWithRoles } from "./embedded_account.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };

/**
 * Runs the server with the rights of `objects`. Returns the error about a missing right; undefined if everything
 * worked.
 */
async function missingRight(objects: readonly KubeObject[], { clusterScope = true, flags = [] as string[] } = {}) {
  await using cluster = await embeddedWithRoles();
  await cluster.apply(objects);
  await cluster.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    metadata: { name: "stored" },
    spec: SPEC,
  });
  await cluster.admin.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "ClusterWorkflowTemplate",
    metadata: { name: "stored" },
    spec: SPEC,
  });
  const stop = new AbortController();
  const lines: string[] = [];
  const kubeconfig = await cluster.kubeconfig(NAMESPACE, SERVER);
  const where = ["--kubeconfig", kubeconfig, "--port", "0", "--address", "127.0.0.1", "--secure=false"];
  const command = serverCommand().parse([...where, "--namespace", NAMESPACE, ...flags], { from: "user" });
  const world = { env: () => undefined, write: (line: string) => void lines.push(line) };
  const lacks = () => lines.find((line) => line.includes("forbidden"));
  let failure: unknown;
  const running = runServer(readFlags(command), world, stop.signal).catch((error) => failure = error);
  try {
    const url = () => /url=(\S+)/.exec(lines.join("\n"))?.[1];
    await pollUntil(() => url() !== undefined || failure !== undefined || lacks() !== undefined);
    if (failure !== undefined) return String(failure);
    return lacks() ?? await missingRightOfCreate(url()!, cluster, clusterScope) ??
      await missingRightOfWatch(lacks, url()!, cluster);
  } finally {
    stop.abort();
    await running;
  }
}

/** Creates workflows that refer to templates, which the server reads to check them. Returns the error, if any. */
async function missingRightOfCreate(
  url: string,
  cluster: EmbeddedWithRoles,
  ofCluster: boolean,
): Promise<string | undefined> {
  for (const clusterScope of ofCluster ? [false, true] : [false]) {
    const spec = { workflowTemplateRef: { name: "stored", clusterScope } };
    const metadata = { name: clusterScope ? "made-of-cluster" : "made" };
    const response = await requestWorkflows(url, cluster, { workflow: { metadata, spec } });
    const text = await response.text();
    if (!response.ok) return `${clusterScope ? "clusterworkflowtemplates" : ""} ${text}`;
  }
}

/**
 * Waits until a list contains a new workflow, which the server learns of only by its watch. Returns the error, if any.
 */
async function missingRightOfWatch(lacks: () => string | undefined, url: string, cluster: EmbeddedWithRoles) {
  await pollUntil(async () =>
    lacks() !== undefined || (await (await requestWorkflows(url, cluster)).text()).includes('"made"')
  );
  return lacks();
}

function requestWorkflows(url: string, { adminToken }: EmbeddedWithRoles, body?: object): Promise<Response> {
  return fetch(`${url}/api/v1/workflows/${NAMESPACE}`, {
    headers: { authorization: `Bearer ${adminToken}` },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
}

async function pollUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) await pause(systemClock, 20);
}

/** The objects that grant the server's account its rights. With `without`, one rule lacks a verb. */
function rights(
  objects: readonly KubeObject[],
  without?: { readonly rule: Rule; readonly verb: string },
): KubeObject[] {
  const kinds = ["ServiceAccount", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"];
  return objects.filter(({ kind, metadata }) => kinds.includes(kind ?? "") && metadata.name === SERVER).map((
    object,
  ) => ({
    ...object,
    ...(rulesOf(object).length && {
      rules: rulesOf(object).map((rule) =>
        rule === without?.rule ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== without.verb) } : rule
      ),
    }),
  }));
}

function rulesOf(object: KubeObject): readonly Rule[] {
  return (object as { rules?: readonly Rule[] }).rules ?? [];
}

const CLUSTER = serverObjects().cluster.map(inNamespace) as unknown as KubeObject[];

Deno.test("server roles: are sufficient", async () => {
  assertEquals(await missingRight(rights(CLUSTER)), undefined);
});

for (const object of rights(CLUSTER)) {
  for (const rule of rulesOf(object)) {
    for (const verb of rule.verbs) {
      Deno.test(`server roles: ${verb} of ${rule.resources} is needed`, async () => {
        const original = CLUSTER.flatMap(rulesOf).find((candidate) => candidate.resources === rule.resources)!;
        const lack = await missingRight(rights(CLUSTER, { rule: original, verb }));
        assertEquals(lack?.includes(rule.resources[0]!), true, String(lack));
      });
    }
  }
}

Deno.test("server roles: a server of one namespace needs no cluster-wide right", async () => {
  const objects = rights(serverObjects().namespaced.map(inNamespace) as unknown as KubeObject[]);
  assertEquals(objects.filter(({ kind }) => kind?.startsWith("Cluster")), []);
  assertEquals(await missingRight(objects, { flags: ["--namespaced"], clusterScope: false }), undefined);
});

Deno.test("rulesOfRoutes: the role for users has no wildcard, and no right without a route", () => {
  const rules = rulesOfRoutes();
  assertEquals(rules.flatMap(({ verbs, resources }) => [...verbs, ...resources]).filter((word) => word === "*"), []);
  assertEquals(rulesOfRoutes([]), []);
});
