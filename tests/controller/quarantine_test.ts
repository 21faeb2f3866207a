/** Workflows that cannot be processed are marked once and left unchanged; others are not affected. */
import { assertEquals, assertMatch } from "@std/assert";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { classifyError, WORKFLOWS } from "@tiphys/kube";
import { CrashGuard } from "../../local/mod.ts";
import { asIs, showingAsIs } from "./as_is.ts";
import { ControllerWorld, type Interceptor, type SentRequest, sleepingWorkflow } from "./world.ts";

/** Base64 of gzip of a long JSON text. */
async function gzipBomb(megabytes: number): Promise<string> {
  const part = new Uint8Array(1_000_000).fill(0x20);
  let left = megabytes;
  const blanks = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => left-- > 0 ? controller.enqueue(part) : controller.close(),
  });
  return (await new Response(blanks.pipeThrough(new CompressionStream("gzip"))).bytes()).toBase64();
}

/** Records the controller's writes to a workflow. */
function recordWritesTo(
  name: string,
  then: Interceptor = (sent, next) => next(sent.body),
): { writes: SentRequest[]; between: Interceptor } {
  const writes: SentRequest[] = [];
  return {
    writes,
    between: (sent, next) => {
      if (sent.method === "PATCH" && concernsWorkflow(name, sent)) writes.push(sent);
      return then(sent, next);
    },
  };
}

function concernsWorkflow(name: string, { path }: SentRequest): boolean {
  return path.replace(/\?.*/, "").endsWith(`/workflows/${name}`);
}

async function submitWithStatus(world: ControllerWorld, name: string, status: object, spec = {}): Promise<void> {
  await world.client.create(WORKFLOWS, "default", {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name, labels: { [LABEL.completed]: String("finishedAt" in status) } },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }], ...spec },
    status,
  });
}

/** Runs a workflow with one pod to its end. */
async function runCanary(world: ControllerWorld, name: string): Promise<void> {
  await world.submit(sleepingWorkflow(name));
  await world.report(await world.startPod(name), true);
  await world.endPod(name);
  assertEquals((await world.awaitEnd(name)).status?.phase, "Succeeded");
}

Deno.test("quarantine: a status that decompresses to too much ends its workflow with one write, and others continue", async () => {
  await using world = new ControllerWorld();
  const { writes, between } = recordWritesTo("bomb");
  world.between = between;
  await world.startController();
  await submitWithStatus(world, "bomb", { phase: "Running", compressedNodes: await gzipBomb(100) });
  const { status } = await world.awaitEnd("bomb");
  const message = "status.compressedNodes unpacks to more than 33554432 bytes";
  assertEquals([status?.phase, status?.message], ["Error", message]);
  assertEquals(status?.conditions?.map(({ type }) => type), ["SpecError", "Completed"]);
  await runCanary(world, "one");
  await world.client.patch(WORKFLOWS, "default", "bomb", { metadata: { labels: { touched: "yes" } } });
  await runCanary(world, "two");
  assertEquals(writes.length, 1);
  await world.waitUntil("the event is recorded", async () => (await world.events("WorkflowFailed")).includes(message));
});

Deno.test("quarantine: a finished workflow is not decompressed, and is deleted when its TTL expires", async () => {
  await using world = new ControllerWorld();
  const { writes, between } = recordWritesTo("over");
  world.between = between;
  await world.startController();
  const status = { phase: "Succeeded", finishedAt: "2020-01-01T00:00:00Z", compressedNodes: await gzipBomb(100) };
  await submitWithStatus(world, "over", status, { ttlStrategy: { secondsAfterCompletion: 1 } });
  await world.waitUntil(
    "it is gone",
    () => world.workflow("over").then(() => false, (error) => classifyError(error) === "notFound"),
  );
  assertEquals(writes, []);
});

Deno.test("quarantine: a workflow that cannot even be marked backs off, and is not retried at each event", async () => {
  await using world = new ControllerWorld();
  const refused = () =>
    Promise.resolve(Response.json({ kind: "Status", message: "no", reason: "Invalid", code: 422 }, { status: 422 }));
  const { writes, between } = recordWritesTo(
    "stuck",
    (sent, next) => sent.method === "PATCH" && concernsWorkflow("stuck", sent) ? refused() : next(sent.body),
  );
  world.between = between;
  await world.startController();
  await submitWithStatus(world, "stuck", { phase: "Running", compressedNodes: await gzipBomb(100) });
  await world.waitUntil("it was tried", () => writes.length > 0);
  for (let change = 0; change < 20; change++) {
    await world.client.patch(WORKFLOWS, "default", "stuck", { metadata: { labels: { change: String(change) } } });
  }
  await runCanary(world, "beside");
  assertEquals(writes.length <= 3, true);
});

Deno.test("quarantine: a workflow that cannot be parsed fails, with the field that is invalid", async () => {
  await using world = new ControllerWorld();
  world.between = showingAsIs;
  await world.startController();
  await world.client.create(
    WORKFLOWS,
    "default",
    asIs(
      { apiVersion: API_VERSION, kind: "Workflow", metadata: { name: "odd" }, spec: { entrypoint: "main" } },
      { spec: { entrypoint: "main", templates: [{ name: "main", suspend: 1 }] } },
    ),
  );
  const { status } = await world.awaitEnd("odd");
  assertEquals(status?.phase, "Failed");
  assertMatch(status!.message!, /^cannot unmarshall spec: spec\.templates\[0\]\.suspend: expected object, got 1/);
  await runCanary(world, "beside");
});

Deno.test("quarantine: an internal error within a template does not end the node; the workflow backs off and others continue", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const { config } = world;
  world.config = {
    ...config,
    get executor(): typeof config.executor {
      throw new Error("No node a to update");
    },
  };
  await world.submit(sleepingWorkflow("victim"));
  const { status } = await world.awaitEnd("victim");
  assertEquals([status?.phase, status?.message], ["Error", "the controller failed: No node a to update"]);
  assertMatch(world.logLines.find((line) => line.includes("A pass failed")) ?? "", /No node a to update\\n +at /);
  world.config = config;
  await runCanary(world, "canary");
});

Deno.test("quarantine: a user's error within a template ends the node with its message, and nothing is quarantined", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("patched", "  podSpecPatch: 'containers: 7'"));
  const { status } = await world.awaitEnd("patched");
  const [node] = Object.values(status?.nodes ?? {});
  assertEquals([status?.phase, node?.phase], ["Error", "Error"]);
  assertMatch(node?.message ?? "", /^Error applying PodSpecPatch: containers: expected list, got 7/);
  assertEquals(world.logLines.filter((line) => line.includes("A pass failed")), []);
});

Deno.test("quarantine: an internal error in an action is not reported as a refusal of the API server", async () => {
  await using world = new ControllerWorld();
  let isBroken = true;
  world.between = (sent, next) => {
    if (!isBroken || sent.method !== "POST" || !/\/pods(\?|$)/.test(sent.path)) return next(sent.body);
    throw new TypeError("limits.find is not a function");
  };
  await world.startController();
  await world.submit(sleepingWorkflow("victim"));
  const { status } = await world.awaitEnd("victim");
  const [node] = Object.values(status?.nodes ?? {});
  assertEquals([status?.phase, status?.message], ["Error", "the controller failed: limits.find is not a function"]);
  assertEquals([node?.phase, node?.message], ["Pending", undefined]);
  assertMatch(world.logLines.find((line) => line.includes("A pass failed")) ?? "", /is not a function\\n +at /);
  isBroken = false;
  await runCanary(world, "canary");
});

Deno.test("quarantine: a workflow that ends the process repeatedly is ended at the next start, and others continue", async () => {
  const dataDir = await Deno.makeTempDir();
  const openGuard = () => new CrashGuard({ dataDir, onNotice: () => {} });
  await using world = new ControllerWorld();
  const killer = await world.submit(sleepingWorkflow("killer"));
  // Processes that do not survive their pass.
  for (let times = 0; times < 3; times++) openGuard().beginPass("workflow", killer);
  await world.startController({ guard: openGuard() });
  const { status } = await world.awaitEnd("killer");
  const message =
    "the process ended repeatedly during passes over this object: it is not processed until it is changed";
  assertEquals([status?.phase, status?.message], ["Error", message]);
  await world.waitUntil("the event is recorded", async () => (await world.events("WorkflowFailed")).includes(message));
  await runCanary(world, "canary");
  await world.stopController();
  await Deno.remove(dataDir, { recursive: true });
});
