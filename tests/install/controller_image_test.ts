/** The controller as its image runs it: telemetry, and the thread of large workflows. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Call, collector } from "../../controller/telemetry/testing/collector.ts";
import type { Workflow } from "../../lib/api/mod.ts";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { NAMESPACE } from "../../scripts/manifest_objects.ts";
import { awaitFact } from "../await_fact.ts";
import type { EmbeddedWithRoles } from "./embedded_account.ts";
import { REFUSED, type Running, startController, withCluster } from "./image_program.ts";

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
    assertStringIncludes(controller.said(), "The slow lane is needed and starts");
    assertEquals(/The slow lane has failed|No thread can be started/.exec(controller.said()), null, controller.said());
    const sent = (service: string) => calls.some(({ method }) => method.includes(service));
    await told(controller, awaitFact("metrics were sent", () => sent("MetricsService"), { seconds: 120 }));
    // What waits is sent at the end.
    assertEquals(await controller.end(), 0, controller.said());
    assertEquals(sent("TraceService"), true, controller.said());
    assertEquals(REFUSED.exec(controller.said())?.[0], undefined, controller.said());
  }));
