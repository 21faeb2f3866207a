/** Fences that keep a paused controller from interfering with its successor. */
import { assertEquals } from "@std/assert";
import { DEFAULT_ENVIRONMENT } from "../../controller/config/environment.ts";
import { runElected } from "../../controller/election.ts";
import { silentLog, startController } from "../../controller/mod.ts";
import { readSettings, runProgram } from "../../controller/program.ts";
import { controllerVariable } from "../../lib/engine/pods/controller_variable.ts";
import { ANNOTATION, ENV } from "@tiphys/base/constants";
import { CONFIGMAPS, KubeClient } from "@tiphys/kube";
import { ControllerWorld, type Interceptor, type SentRequest, sleepingWorkflow } from "./world.ts";

/** The writes of a controller to workflows and pods, in order. */
function writesIn(sent: readonly SentRequest[]): string[] {
  const changes = sent.filter(({ method, path }) => method !== "GET" && /\/(workflows|pods)(\/|\?|$)/.test(path));
  return changes.map(({ method, path }) => `${method} ${/\/(workflows|pods)/.exec(path)![1]}`);
}

function refuseMatching(which: (sent: SentRequest) => boolean, sent: SentRequest[]): Interceptor {
  return (request, next) => {
    sent.push(request);
    return which(request) ? Promise.resolve(new Response("", { status: 503 })) : next(request.body);
  };
}

const isPodCreation = ({ method, path }: SentRequest) => method === "POST" && path.includes("/pods");

Deno.test("fence: a controller acts for a workflow only after it has written it in its own epoch", async () => {
  await using world = new ControllerWorld();
  const first: SentRequest[] = [];
  world.between = refuseMatching(isPodCreation, first);
  await world.startController({ epoch: 1 });
  await world.submit(sleepingWorkflow("one"));
  await world.waitUntil("the first requested the pod", () => first.some(isPodCreation));
  await world.stopController();
  assertEquals((await world.workflow("one")).metadata.annotations?.[ANNOTATION.epoch], "1");

  const second: SentRequest[] = [];
  world.between = refuseMatching(() => false, second);
  await world.startController({ epoch: 2 });
  const pod = await world.awaitPod("one");
  assertEquals(writesIn(second).slice(0, 2), ["PATCH workflows", "POST pods"]);
  const { annotations, resourceVersion } = (await world.workflow("one")).metadata;
  assertEquals(annotations?.[ANNOTATION.epoch], "2");
  assertEquals(Number(controllerVariable(pod, ENV.decidedOn)) <= Number(resourceVersion), true);
});

Deno.test("fence: a workflow takes the same number of writes with and without an epoch", async () => {
  const counts: number[] = [];
  for (const epoch of [undefined, 3]) {
    await using world = new ControllerWorld();
    const sent: SentRequest[] = [];
    world.between = refuseMatching(() => false, sent);
    await world.startController({ epoch });
    await world.submit(sleepingWorkflow("one"));
    await world.report(await world.startPod("one"), true);
    await world.endPod("one");
    await world.awaitEnd("one");
    counts.push(writesIn(sent).filter((write) => write === "PATCH workflows").length);
  }
  assertEquals(counts[1]! <= counts[0]!, true, `${counts[0]} without, ${counts[1]} with an epoch`);
});

Deno.test("fence: pods are deleted with the UID and resourceVersion that were observed", async () => {
  await using world = new ControllerWorld();
  const sent: SentRequest[] = [];
  world.between = refuseMatching(() => false, sent);
  await world.startController();
  await world.submit(sleepingWorkflow("one", "  podGC: {strategy: OnPodCompletion, deleteDelayDuration: 0s}"));
  await world.report(await world.startPod("one"), true);
  await world.endPod("one");
  await world.awaitPodDeletion("one");
  const deletions = sent.filter(({ method, path }) => method === "DELETE" && path.includes("/pods/"));
  const { preconditions } = deletions[0]!.body as { preconditions: Record<string, string> };
  assertEquals(Object.keys(preconditions).sort(), ["resourceVersion", "uid"]);
});

Deno.test("fence: a process that was paused for longer than its lease writes nothing when it resumes", async () => {
  await using world = new ControllerWorld();
  const stop = new AbortController();
  let client: KubeClient | undefined;
  const running = runElected(
    {
      client: world.client,
      namespace: "argo",
      log: silentLog,
      environment: DEFAULT_ENVIRONMENT,
      identity: () => "first",
    },
    async (signal, work) => {
      client = work.client;
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
    stop.signal,
  ).catch((error) => error as Error);
  await world.waitUntil("the controller is running", () => client !== undefined);
  const wallClock = Date.now;
  try {
    Date.now = () => wallClock() + 60_000;
    const error = await client!.create(CONFIGMAPS, "argo", {
      metadata: { name: "late" },
    }).catch((error) => error as Error);
    assertEquals((error as Error).message.includes("nothing is written"), true);
  } finally {
    Date.now = wallClock;
  }
  assertEquals((await running as Error).message, 'The lease "workflow-controller" in namespace "argo" was lost');
});

Deno.test("fence: the cluster program uses the epoch of its lease and receives new settings", async () => {
  await using world = new ControllerWorld();
  const stop = new AbortController();
  const options = {
    client: world.client,
    namespace: "argo",
    configmap: "settings",
    base: { executorImage: "argoexec:test" },
    log: silentLog,
  };
  await world.client.create(CONFIGMAPS, "argo", { metadata: { name: "settings" }, data: { parallelism: "1" } });
  const config = await readSettings(options, stop.signal);
  const running = runProgram(
    { ...options, config, identity: () => "first" },
    stop.signal,
  );
  try {
    await world.submit(sleepingWorkflow("one"));
    await world.awaitPod("one");
    await world.submit(sleepingWorkflow("two"));
    const waits = /Workflow processing has been postponed/;
    await world.waitUntil(
      "the workflow waits",
      async () => waits.test((await world.workflow("two")).status?.message ?? ""),
    );
    await world.client.patch(CONFIGMAPS, "argo", "settings", { data: { parallelism: "2" } });
    await world.awaitPod("two");
    assertEquals((await world.workflow("one")).metadata.annotations?.[ANNOTATION.epoch], "0");
  } finally {
    stop.abort();
    await running;
  }
});

Deno.test("fence: the program stops writing when another process may have its lease", async () => {
  await using world = new ControllerWorld();
  const sent: SentRequest[] = [];
  const direct = world.client.transport;
  const client = new KubeClient({
    ...direct,
    webSocket: (path, protocols) => direct.webSocket(path, protocols),
    close: () => {},
    fetch: (path, init = {}) => {
      sent.push({ method: init.method ?? "GET", path, body: init.body });
      return direct.fetch(path, init);
    },
  });
  const stop = new AbortController();
  const options = { client, namespace: "argo", configmap: "none", base: { executorImage: "a:b" }, log: silentLog };
  let isAtWork = false;
  const running = runProgram({
    ...options,
    config: await readSettings(options, stop.signal),
    identity: () => "first",
    start: async (startOptions, signal) => {
      const controller = await startController(startOptions, signal);
      isAtWork = true;
      return controller;
    },
  }, stop.signal).catch((error) => error as Error);
  await world.waitUntil("the controller is running", () => isAtWork);
  const before = sent.length;
  const wallClock = Date.now;
  try {
    Date.now = () => wallClock() + 60_000;
    await world.submit(sleepingWorkflow("late"));
    assertEquals((await running as Error).message, 'The lease "workflow-controller" in namespace "argo" was lost');
  } finally {
    Date.now = wallClock;
  }
  assertEquals(writesIn(sent.slice(before)), []);
});
