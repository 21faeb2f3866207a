/** Leader election of several controllers (LEADER_ELECTION_*). */
import { readEnvironment } from "../../controller/config/environment.ts";
import { assertEquals } from "@std/assert";
import { leaseName, runElected } from "../../controller/election.ts";
import { silentLog, startController } from "../../controller/mod.ts";
import { defaultConfig } from "../../controller/config/config.ts";
import { runProgram } from "../../controller/program.ts";
import { type KubeObject, LEASES } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

Deno.test("leader election: the second controller resumes where the first stopped", async () => {
  await using world = new ControllerWorld();
  const first = candidate(world, "first");
  await world.waitUntil("the first leads", () => first.working);
  const second = candidate(world, "second");
  await world.submit(sleepingWorkflow("one"));
  const pod = await world.awaitPod("one");
  assertEquals(await holder(world), "first");
  assertEquals(second.working, false);

  await first.stop();
  await world.waitUntil("the second leads", () => second.working);
  assertEquals(await holder(world), "second");
  await world.report(await world.startPod("one"), true);
  await world.endPod("one");
  assertEquals((await world.awaitEnd("one")).status?.phase, "Succeeded");
  assertEquals((await world.pod("one"))?.metadata.uid, pod.metadata.uid);
  await second.stop();
});

Deno.test("leader election: when it is disabled, a controller starts at once and requests no lease", async () => {
  await using world = new ControllerWorld();
  const only = candidate(world, "only", { LEADER_ELECTION_DISABLE: "true" });
  await world.waitUntil("it works", () => only.working);
  assertEquals((await world.client.list(LEASES, "argo")).items.length, 0);
  await only.stop();
});

Deno.test("leader election: a controller receives the time of its lease, however long it waited; no time without an election", async () => {
  for (const [LEADER_ELECTION_DISABLE, expected] of [["false", 7], ["true", undefined]] as const) {
    await using world = new ControllerWorld();
    const first = candidate(world, "first");
    await world.waitUntil("the first leads", () => first.working);
    const stop = new AbortController();
    const env: Record<string, string> = { LEADER_ELECTION_DISABLE, LEADER_ELECTION_RETRY_PERIOD: "50ms" };
    const base = { executorImage: "a:b", environment: readEnvironment((name) => env[name]) };
    let millis = 5;
    const won: (number | undefined)[] = [];
    const running = runProgram({
      client: world.client,
      namespace: "argo",
      configmap: "none",
      base,
      config: defaultConfig(base),
      log: silentLog,
      identity: () => "second",
      now: () => new Date(millis),
      start: async (options, signal, at) => {
        const controller = await startController(options, signal);
        won.push(at);
        return controller;
      },
    }, stop.signal);
    millis = 7;
    await first.stop();
    await world.waitUntil("the second works", () => won.length > 0);
    stop.abort();
    await running;
    assertEquals(won, [expected]);
  }
});

Deno.test("leaseName: controllers with different instance IDs have different leases", () => {
  assertEquals([leaseName(undefined), leaseName("blue")], ["workflow-controller", "workflow-controller-blue"]);
});

/** A process that runs for leader. */
function candidate(world: ControllerWorld, identity: string, more: Record<string, string> = {}) {
  const stop = new AbortController();
  const env: Record<string, string> = {
    LEADER_ELECTION_IDENTITY: identity,
    LEADER_ELECTION_RETRY_PERIOD: "50ms",
    ...more,
  };
  const process = {
    working: false,
    async stop() {
      stop.abort();
      await running;
    },
  };
  const running = runElected(
    {
      client: world.client,
      namespace: "argo",
      log: silentLog,
      environment: readEnvironment((name) => env[name]),
      identity: () => "nobody",
    },
    async (signal) => {
      await world.startController();
      process.working = true;
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      await world.stopController();
    },
    stop.signal,
  );
  return process;
}

async function holder(world: ControllerWorld): Promise<unknown> {
  const lease = await world.client.get<KubeObject>(LEASES, "argo", "workflow-controller");
  return (lease.spec as { holderIdentity?: string }).holderIdentity;
}
