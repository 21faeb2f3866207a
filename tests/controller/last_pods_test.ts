/** The last pods when an embedded cluster stops: those that end after their workflow are in its trace. */
import { assert, assertEquals } from "@std/assert";
import { LocalTelemetry } from "../../cli/connect/local_telemetry.ts";
import { silentLog } from "@tiphys/base/log";
import { ControllerWorld } from "./world.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox", command: ["true"] } }] };

/** Starts a workflow that finishes while its pod still runs. */
async function workflowEndingBeforeItsPod(world: ControllerWorld, env: Record<string, string>) {
  const telemetry = new LocalTelemetry((name) => env[name]);
  world.configure({ sendsTraces: telemetry.traces });
  const options = { client: world.client, config: () => world.config, log: silentLog };
  const controller = await telemetry.startController(options, () => {}, undefined);
  await world.submit(`metadata: {name: w}\nspec: ${JSON.stringify(SPEC)}`);
  const pod = await world.awaitPod("w");
  await world.startPod("w");
  await world.reportSuccess(pod);
  await world.awaitEnd("w");
  return { telemetry, controller };
}

Deno.test("traces: spans of a pod that ends after its workflow are sent before telemetry closes", async () => {
  const bodies: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    bodies.push(await request.text());
    return Response.json({});
  });
  await using world = new ControllerWorld();
  const { telemetry, controller } = await workflowEndingBeforeItsPod(world, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${server.addr.port}/v1/traces`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  const waited = telemetry.waitForLastPods();
  await world.endPod("w");
  await waited;
  await controller.close();
  await telemetry.close();
  assert(bodies.join().includes('"run_main_container"'), "no span of the pod");
});

Deno.test("shutdown: does not wait for pods when traces are disabled", async () => {
  await using world = new ControllerWorld();
  const { telemetry, controller } = await workflowEndingBeforeItsPod(world, {});
  await telemetry.waitForLastPods();
  assertEquals((await world.pod("w"))?.status?.phase, "Running");
  await controller.close();
});

Deno.test("shutdown: the wait for the last pods is bounded", async () => {
  await using world = new ControllerWorld();
  const { controller } = await workflowEndingBeforeItsPod(world, {});
  const until = new AbortController();
  const waited = controller.awaitLastPods(until.signal);
  until.abort();
  await waited;
  await controller.close();
});
