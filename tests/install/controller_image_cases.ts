/**
 * The controller with the flags of its image: telemetry, the slow lane, and databases, also together with the server.
 */
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
import { DENO_ERROR, type ImageProcess, startController, startServer, withCluster } from "./image_program.ts";

/** A workflow that succeeds without pods. It has a parameter of `size` characters. */
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

async function awaitSuccess({ admin }: EmbeddedWithRoles, name: string, controller: ImageProcess): Promise<void> {
  const phase = async () => (await admin.get<Workflow>(WORKFLOWS, NAMESPACE, name)).status?.phase;
  await withLog(
    controller,
    awaitFact(`${name} succeeded`, async () => await phase() === "Succeeded", { seconds: 120 }),
  );
}

/** Waits for a fact. If it fails, the error contains the log of the program. */
async function withLog(program: ImageProcess, fact: Promise<unknown>): Promise<void> {
  await fact.catch((error) => {
    throw new Error(program.output(), { cause: error });
  });
}

Deno.test("controller image: sends metrics and traces by gRPC, and processes large workflows in the slow lane", () =>
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
    assertStringIncludes(controller.output(), "Starting the slow lane");
    assertEquals(
      /The slow lane has failed|Starting a thread failed/.exec(controller.output()),
      null,
      controller.output(),
    );
    const sent = (service: string) => calls.some(({ method }) => method.includes(service));
    await withLog(controller, awaitFact("metrics were sent", () => sent("MetricsService"), { seconds: 120 }));
    // Buffered traces are sent before the process exits.
    assertEquals(await controller.end(), 0, controller.output());
    assertEquals(sent("TraceService"), true, controller.output());
    assertEquals(DENO_ERROR.exec(controller.output())?.[0], undefined, controller.output());
  }));

/** Configures a database for both programs, and creates the Secret with its credentials. */
async function configureDatabase(database: TestServer, cluster: EmbeddedWithRoles): Promise<void> {
  const { admin } = cluster;
  const reads = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
  // The administrator grants this right, because the manifests do not know the name of the Secret.
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
    ...kind.test(
      "images: the controller archives workflows in the database, and the server lists them and stores limits",
    ),
    fn: () =>
      withCluster(async (cluster) => {
        await using database = await kind.start();
        await configureDatabase(database, cluster);
        await using controller = await startController(cluster);
        await cluster.admin.create(WORKFLOWS, NAMESPACE, withoutPods("kept", 1));
        await awaitSuccess(cluster, "kept", controller);
        await using server = await startServer(cluster);
        const headers = { authorization: `Bearer ${cluster.adminToken}` };
        const list =
          `${server.url}/api/v1/archived-workflows?listOptions.fieldSelector=metadata.namespace=${NAMESPACE}`;
        const isShown = async () => (await (await fetch(list, { headers })).text()).includes('"kept"');
        await withLog(server, withLog(controller, awaitFact("the archive has it", isShown, { seconds: 120 })));
        const limit = await fetch(`${server.url}/api/v1/sync/${NAMESPACE}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ type: "DATABASE", key: "a", limit: 1 }),
        });
        assertEquals([limit.status, (await limit.json()).limit], [200, 1], server.output());
        for (const program of [controller, server]) {
          assertEquals(await program.end(), 0, program.output());
          assertEquals(DENO_ERROR.exec(program.output())?.[0], undefined, program.output());
        }
      }),
  });
}
