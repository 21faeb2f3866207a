/** The controller as its image runs it: telemetry, the thread of large workflows, and databases, beside the server there. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Call, collector } from "../../controller/telemetry/testing/collector.ts";
import type { Workflow } from "@tiphys/model/api";
import { SERVER_KINDS, type TestServer } from "../../lib/storage/database/testing/servers.ts";
import { CONFIGMAPS, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { CONTROLLER } from "../../scripts/gen_install.ts";
import { SERVER } from "../../scripts/gen_server.ts";
import { binding, inNamespace, NAMESPACE, role } from "../../scripts/manifest_objects.ts";
import { awaitFact } from "../await_fact.ts";
import type { EmbeddedWithRoles } from "./embedded_account.ts";
import { REFUSED, type Running, startController, startServer, withCluster } from "./image_program.ts";

/** A workflow that ends without a pod, with a parameter of so many characters. */
function withoutPods(name: string, size: number) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name },
    spec: {
      entrypoint: "none",
      arguments: { parameters: [{ name: "text", value: "x".repeat(size) }] },
      templates: [{ name: "none", suspend: { duration: "0" } }],
    },
  };
}

async function awaitSuccess({ admin }: EmbeddedWithRoles, name: string, controller: Running): Promise<void> {
  const phase = async () => (await admin.get<Workflow>(WORKFLOWS, NAMESPACE, name)).status?.phase;
  await told(controller, awaitFact(`${name} succeeded`, async () => await phase() === "Succeeded", { seconds: 120 }));
}

/** A fact that does not come is told with what the program said. */
async function told(program: Running, fact: Promise<unknown>): Promise<void> {
  await fact.catch((error) => {
    throw new Error(program.said(), { cause: error });
  });
}

Deno.test("the controller of the image sends metrics and traces by gRPC, and works large workflows in a thread", () =>
  withCluster(async (cluster) => {
    const calls: Call[] = [];
    const { url, close } = await collector(calls);
    await using opened = new AsyncDisposableStack();
    opened.defer(close);
    await using controller = await startController(cluster, {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_METRIC_EXPORT_INTERVAL: "100",
    });
    await cluster.admin.create(WORKFLOWS, NAMESPACE, withoutPods("large", 600_000));
    await awaitSuccess(cluster, "large", controller);
    assertStringIncludes(controller.said(), "Starting the slow lane");
    assertEquals(/The slow lane has failed|Starting a thread failed/.exec(controller.said()), null, controller.said());
    const sent = (service: string) => calls.some(({ method }) => method.includes(service));
    await told(controller, awaitFact("metrics were sent", () => sent("MetricsService"), { seconds: 120 }));
    // What waits is sent at the end.
    assertEquals(await controller.end(), 0, controller.said());
    assertEquals(sent("TraceService"), true, controller.said());
    assertEquals(REFUSED.exec(controller.said())?.[0], undefined, controller.said());
  }));

/** The settings of a database for both programs, and the Secret with its login. */
async function keepIn(database: TestServer, cluster: EmbeddedWithRoles): Promise<void> {
  const { admin } = cluster;
  const reads = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
  // Whoever sets up a database gives this right: the manifests name no Secret.
  for (const account of [CONTROLLER, SERVER]) {
    const name = `${account}-login`;
    await cluster.apply(
      [role("Role", name, [reads]), binding("RoleBinding", "Role", name, account)].map(inNamespace) as never,
    );
  }
  const keys = await Promise.all(
    ["user", "password"].map(async (key) => [key, btoa(await database.secret("login", key))]),
  );
  await admin.create(SECRETS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "login" },
    data: Object.fromEntries(keys),
  });
  const [[kind, settings] = ["", {}]] = Object.entries(database.settings as Record<string, object>);
  const persistence = { archive: true, nodeStatusOffLoad: true, [kind]: { ...settings, tableName: "argo_workflows" } };
  const synchronization = { enableAPI: true, controllerName: "one", [kind]: settings };
  await admin.patch(CONFIGMAPS, NAMESPACE, "workflow-controller-configmap", {
    data: { persistence: JSON.stringify(persistence), synchronization: JSON.stringify(synchronization) },
  });
}

for (const kind of SERVER_KINDS.filter(({ name }) => name !== "SQLite")) {
  Deno.test({
    ...kind.test("the programs of the images archive workflows, show them, and keep limits"),
    fn: () =>
      withCluster(async (cluster) => {
        await using database = await kind.start();
        await keepIn(database, cluster);
        await using controller = await startController(cluster);
        await cluster.admin.create(WORKFLOWS, NAMESPACE, withoutPods("kept", 1));
        await awaitSuccess(cluster, "kept", controller);
        await using server = await startServer(cluster);
        const headers = { authorization: `Bearer ${cluster.adminToken}` };
        const list =
          `${server.url}/api/v1/archived-workflows?listOptions.fieldSelector=metadata.namespace=${NAMESPACE}`;
        const isShown = async () => (await (await fetch(list, { headers })).text()).includes('"kept"');
        await told(server, told(controller, awaitFact("the archive has it", isShown, { seconds: 120 })));
        const limit = await fetch(`${server.url}/api/v1/sync/${NAMESPACE}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ type: "DATABASE", key: "a", limit: 1 }),
        });
        assertEquals([limit.status, (await limit.json()).limit], [200, 1], server.said());
        for (const program of [controller, server]) {
          assertEquals(await program.end(), 0, program.said());
          assertEquals(REFUSED.exec(program.said())?.[0], undefined, program.said());
        }
      }),
  });
}
