/** Locks between workflows, by the real controller over the embedded API. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, NAMESPACES, PODS, WORKFLOWS } from "@tiphys/kube";
import { controllerMetrics } from "../../controller/metrics/own_metrics.ts";
import { ControllerWorld, type SentRequest, sleepingWorkflow } from "./world.ts";

const MUTEX = "  synchronization: {mutexes: [{name: alpha}]}";

function semaphore(key: string): string {
  return `  synchronization: {semaphores: [{configMapKeyRef: {name: limits, key: ${key}}}]}`;
}

async function setLimits(world: ControllerWorld, data: Record<string, string>): Promise<void> {
  const metadata = { name: "limits", namespace: "default" };
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
  try {
    await world.client.create(CONFIGMAPS, "default", configMap);
  } catch {
    await world.client.patch(CONFIGMAPS, "default", "limits", { data }, "merge");
  }
}

async function awaitLockMessage(world: ControllerWorld, name: string, message: string): Promise<Workflow> {
  let found: Workflow | undefined;
  await world.waitUntil(`${name} waits: ${message}`, async () => {
    found = await world.workflow(name);
    return found.status?.phase === "Pending" && found.status.message === message;
  });
  return found!;
}

async function endPodAndWorkflow(world: ControllerWorld, name: string, namespace = "default"): Promise<Workflow> {
  await world.report(await world.startPod(name, namespace), true);
  await world.endPod(name, {}, namespace);
  return await world.awaitEnd(name, namespace);
}

async function podNames(world: ControllerWorld): Promise<string[]> {
  return (await world.client.list(PODS, "default")).items.map(({ metadata }) => metadata.name!).sort();
}

const WAITS = "Waiting for default/Mutex/alpha lock. Lock status: 0/1";

Deno.test("mutex: the second of two workflows waits with a message, and starts when the first has finished (T-SY-1)", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: () => Date.now() });
  await world.startController({ metrics });
  await world.submit(sleepingWorkflow("first", MUTEX));
  await world.startPod("first");
  const holding = { holding: [{ holder: "default/first", mutex: "default/Mutex/alpha" }] };
  assertEquals((await world.workflow("first")).status?.synchronization, { mutex: holding });
  await world.submit(sleepingWorkflow("second", MUTEX));
  const second = await awaitLockMessage(world, "second", WAITS);
  assertEquals(second.metadata.labels?.[LABEL.phase], "Pending");
  assertEquals(second.metadata.labels?.[LABEL.completed], "false");
  const waiting = { waiting: [{ holder: "default/first", mutex: "default/Mutex/alpha" }] };
  assertEquals(second.status?.synchronization, { mutex: waiting });
  const labels = { type: "mutex", storage: "configmap", lock_name: "alpha", namespace: "default" };
  const values = (name: Parameters<typeof metrics.builtIn>[0]) =>
    [...metrics.builtIn(name).samples()].map(({ labels, value }) => ({ labels, value }));
  assertEquals(values("locks_held"), [{ labels, value: 1 }]);
  assertEquals(values("locks_pending"), [{ labels, value: 1 }]);
  assertEquals(values("locks_taken_total"), [{ labels, value: 1 }]);
  assertEquals((await endPodAndWorkflow(world, "first")).status?.synchronization, undefined);
  assertEquals((await endPodAndWorkflow(world, "second")).status?.synchronization, undefined);
  assertEquals((await world.workflow("second")).status?.message, undefined);
  assertEquals([values("locks_held"), values("locks_pending")], [[], []]);
});

Deno.test("semaphore: raising the limit starts more workflows at once, lowering it lets the running ones finish (T-SY-6)", async () => {
  await using world = new ControllerWorld();
  await setLimits(world, { s: "1" });
  await world.startController();
  for (const name of ["w1", "w2", "w3", "w4", "w5"]) await world.submit(sleepingWorkflow(name, semaphore("s")));
  await world.startPod("w1");
  await awaitLockMessage(world, "w5", "Waiting for default/ConfigMap/limits/s lock. Lock status: 0/1");
  await setLimits(world, { s: "3" });
  await world.startPod("w3");
  await awaitLockMessage(world, "w5", "Waiting for default/ConfigMap/limits/s lock. Lock status: 0/3");
  await setLimits(world, { s: "1" });
  await awaitLockMessage(world, "w5", "Waiting for default/ConfigMap/limits/s lock. Lock status: 0/1");
  await endPodAndWorkflow(world, "w1");
  await endPodAndWorkflow(world, "w2");
  assertEquals(await podNames(world), ["w1", "w2", "w3"]);
  await endPodAndWorkflow(world, "w3");
  await world.awaitPod("w4");
  assertEquals(await podNames(world), ["w1", "w2", "w3", "w4"]);
});

Deno.test("semaphore: a limit of 0 pauses, a deleted key keeps its last limit, and a key that never existed fails (T-SY-7)", async () => {
  await using world = new ControllerWorld();
  await setLimits(world, { zero: "0", words: "many" });
  await world.startController();
  await world.submit(sleepingWorkflow("paused", semaphore("zero")));
  await awaitLockMessage(world, "paused", "Waiting for default/ConfigMap/limits/zero lock. Lock status: 0/0");
  await setLimits(world, { zero: "1" });
  await world.startPod("paused");
  await world.submit(sleepingWorkflow("behind", semaphore("zero")));
  await awaitLockMessage(world, "behind", "Waiting for default/ConfigMap/limits/zero lock. Lock status: 0/1");
  await world.client.delete(CONFIGMAPS, "default", "limits");
  await endPodAndWorkflow(world, "paused");
  await world.startPod("behind");
  const failed = "Failed to acquire the synchronization lock. failed to initialize semaphore default/ConfigMap/limits";
  await world.submit(sleepingWorkflow("no-map", semaphore("other")));
  assertEquals(
    (await world.awaitEnd("no-map")).status?.message,
    `${failed}/other with limit: configmaps "limits" not found`,
  );
  await setLimits(world, { words: "many" });
  await world.submit(sleepingWorkflow("no-key", semaphore("other")));
  assertEquals(
    (await world.awaitEnd("no-key")).status?.message,
    `${failed}/other with limit: Sync configuration key 'other' not found in ConfigMap`,
  );
  await world.submit(sleepingWorkflow("no-number", semaphore("words")));
  const { status } = await world.awaitEnd("no-number");
  assertEquals([status?.phase, status?.message], [
    "Failed",
    `${failed}/words with limit: "many" is not a whole number`,
  ]);
});

for (const strategy of ["Stop", "Terminate"]) {
  Deno.test(`lock: ${strategy} ends a waiting workflow at once and removes it from the queue (T-SY-8)`, async () => {
    await using world = new ControllerWorld();
    await world.startController();
    await world.submit(sleepingWorkflow("first", MUTEX));
    await world.startPod("first");
    await world.submit(sleepingWorkflow("second", MUTEX));
    await awaitLockMessage(world, "second", WAITS);
    await world.submit(sleepingWorkflow("third", MUTEX));
    await awaitLockMessage(world, "third", WAITS);
    await world.client.patch(WORKFLOWS, "default", "second", { spec: { shutdown: strategy } }, "merge");
    const { status } = await world.awaitEnd("second");
    assertEquals([status?.phase, status?.message], ["Failed", `Stopped with strategy '${strategy}'`]);
    assertEquals([status?.nodes, status?.synchronization], [undefined, undefined]);
    await endPodAndWorkflow(world, "first");
    await world.awaitPod("third");
  });
}

Deno.test("lock: a waiting node that is stopped or exceeds a deadline no longer waits (SY-16)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("first", MUTEX));
  await world.startPod("first");
  for (const [name, field] of [["stopped", ""], ["late", "activeDeadlineSeconds: 1, "]] as const) {
    await world.submit(
      `{metadata: {name: ${name}}, spec: {${field}entrypoint: main, templates: [{name: main, steps: [[{name: a, template: locked}]]}, {name: locked, synchronization: {mutexes: [{name: alpha}]}, suspend: {}}]}}`,
    );
  }
  await world.waitUntil(
    "the workflow waits",
    async () => (await awaitWaiting(world, "stopped"))?.waiting !== undefined,
  );
  await world.client.patch(WORKFLOWS, "default", "stopped", { spec: { shutdown: "Stop" } }, "merge");
  for (const name of ["stopped", "late"]) {
    assertEquals((await world.awaitEnd(name)).status?.phase, "Failed");
    assertEquals(await awaitWaiting(world, name), undefined);
  }
});

/** The lock status of the node of a step. */
async function awaitWaiting(world: ControllerWorld, name: string) {
  const nodes = Object.values((await world.workflow(name)).status?.nodes ?? {});
  return nodes.find(({ displayName }) => displayName === "a")?.synchronizationStatus;
}

Deno.test("lock: released when the workflow that holds it is deleted, or its namespace (T-SY-8, T-SY-10)", async () => {
  await using world = new ControllerWorld();
  await world.makeNamespace("a");
  await world.makeNamespace("b");
  await world.startController();
  const shared = "  synchronization: {mutexes: [{name: m, namespace: shared}]}";
  await world.submit(sleepingWorkflow("w", shared), "a");
  await world.awaitPod("w", { namespace: "a" });
  await world.submit(sleepingWorkflow("w", shared), "b");
  const waiting = async () => (await world.workflow("w", "b")).status?.message;
  await world.waitUntil("b waits", async () => await waiting() === "Waiting for shared/Mutex/m lock. Lock status: 0/1");
  assertEquals((await world.workflow("w", "b")).status?.synchronization, {
    mutex: { waiting: [{ holder: "a/w", mutex: "shared/Mutex/m" }] },
  });
  await world.submit(sleepingWorkflow("x", shared), "b");
  await world.client.delete(WORKFLOWS, "a", "w");
  await world.awaitPod("w", { namespace: "b" });
  await world.submit(sleepingWorkflow("w", shared), "a");
  await world.waitUntil("a waits", async () => (await world.workflow("w", "a")).status?.phase === "Pending");
  await world.client.delete(WORKFLOWS, "b", "x");
  await world.client.delete(NAMESPACES, undefined, "b").catch(() => {});
  await world.client.delete(WORKFLOWS, "b", "w").catch(() => {});
  await world.awaitPod("w", { namespace: "a" });
});

Deno.test("restart: held locks stay with their holders, and earlier waiters come before later ones (T-SY-5)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("holder", MUTEX));
  await world.startPod("holder");
  for (const name of ["w1", "w2", "w3"]) {
    await world.submit(sleepingWorkflow(name, MUTEX));
    await awaitLockMessage(world, name, WAITS);
  }
  await world.stopController();
  // A holder that is Pending, for example because it waits for its volumes.
  await world.client.patch(WORKFLOWS, "default", "holder", { status: { phase: "Pending" } }, "merge");
  await world.submit(sleepingWorkflow("a-newcomer", MUTEX));
  await world.startController();
  await awaitLockMessage(world, "a-newcomer", WAITS);
  assertEquals(await podNames(world), ["holder"]);
  const order: string[] = [];
  for (let name = "holder"; name; name = order.at(-1) ?? "") {
    await endPodAndWorkflow(world, name);
    if (order.length === 4) break;
    let next: string | undefined;
    await world.waitUntil("the next has its pod", async () => {
      next = (await podNames(world)).find((pod) => pod !== "holder" && !order.includes(pod));
      return next !== undefined;
    });
    order.push(next!);
  }
  // Workflows created in the same second are ordered by name.
  const { creationTimestamp: last } = (await world.workflow("a-newcomer")).metadata;
  const { creationTimestamp: before } = (await world.workflow("w3")).metadata;
  assertEquals(order, last === before ? order : ["w1", "w2", "w3", "a-newcomer"]);
});

Deno.test("takeover: a workflow that holds a lock in the status of Argo's controller holds it here, in older forms too (HK-10)", async () => {
  await using world = new ControllerWorld();
  await world.submit(sleepingWorkflow("old", MUTEX));
  await world.submit(sleepingWorkflow("new", MUTEX));
  const status = (name: string, status: object) => world.client.patch(WORKFLOWS, "default", name, { status }, "merge");
  await status("old", {
    phase: "Running",
    startedAt: "2026-01-01T00:00:00Z",
    synchronization: {
      mutex: {
        holding: [{ mutex: "default/Mutex/alpha", holder: "old" }],
        waiting: [{ mutex: "default/Mutex/alpha", holder: "gone" }],
      },
      semaphore: { holding: [{ semaphore: "default/ConfigMap/limits/s", holders: [] }] },
    },
  });
  await status("new", { phase: "Pending", message: WAITS, synchronization: { mutex: {} } });
  await world.startController();
  await world.startPod("old");
  assertEquals((await world.workflow("old")).status?.synchronization, {
    mutex: { holding: [{ holder: "default/old", mutex: "default/Mutex/alpha" }] },
  });
  await awaitLockMessage(world, "new", WAITS);
  assertEquals(await podNames(world), ["old"]);
  await endPodAndWorkflow(world, "old");
  await endPodAndWorkflow(world, "new");
});

Deno.test("restart: a hold that cannot be parsed keeps its lock until its workflow is gone (SY-52)", async () => {
  await using world = new ControllerWorld();
  await world.submit(sleepingWorkflow("bad"));
  await world.client.patch(WORKFLOWS, "default", "bad", {
    status: {
      phase: "Running",
      startedAt: "2026-01-01T00:00:00Z",
      synchronization: { mutex: { holding: [{ mutex: "default/Mutex/alpha", holder: "nobody" }] } },
    },
    spec: { suspend: true },
  }, "merge");
  await world.submit(sleepingWorkflow("waiter", MUTEX));
  await world.startController();
  await world.waitUntil("the message of the waiter names the reason", async () => {
    const { message = "" } = (await world.workflow("waiter")).status ?? {};
    return message.startsWith("lock default/Mutex/alpha is in a poisoned state: ");
  });
  await world.client.delete(WORKFLOWS, "default", "bad");
  await endPodAndWorkflow(world, "waiter");
});

const ITEMS = `
metadata: {name: many}
spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{name: a, template: locked, withItems: [1, 2, 3], arguments: {parameters: [{name: i, value: "{{item}}"}]}}]]
  - name: locked
    inputs: {parameters: [{name: i}]}
    synchronization: {semaphores: [{configMapKeyRef: {name: limits, key: s}}], mutexes: [{name: m}]}
    container: {image: busybox, command: [sleep, "1"]}
`;

/** Ends every pod of the workflow `many`, one after the other. Returns the largest number of concurrent pods. */
async function runMany(
  world: ControllerWorld,
  isReady: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<{ maximum: number; refused: Set<string | undefined> }> {
  let most = 0;
  const refused = new Set<string | undefined>();
  for (let served = 0; served < 3; served++) {
    let open: string[] = [];
    await world.waitUntil("a pod is there", async () => {
      const { items } = await world.client.list<{ status?: { phase?: string }; metadata: { name?: string } }>(
        PODS,
        "default",
      );
      open = items.filter(({ status }) => status?.phase !== "Succeeded").map(({ metadata }) => metadata.name!);
      return open.length > 0;
    });
    most = Math.max(most, open.length);
    const { nodes = {} } = (await world.workflow("many")).status ?? {};
    for (const node of Object.values(nodes)) refused.add(node.synchronizationStatus?.waiting);
    await world.report(await world.startPod(open[0]!), true);
    if (served < 2) await world.waitUntil("the pod may end", isReady);
    await world.endPod(open[0]!);
  }
  return { maximum: most, refused };
}

for (const lane of ["among the others", "in the slow lane"]) {
  Deno.test(`lock: nodes with a mutex and a semaphore run one at a time and name the lock that they wait for, ${lane} (T-SY-2)`, async () => {
    await using world = new ControllerWorld();
    await setLimits(world, { s: "2" });
    await world.startController(lane === "in the slow lane" ? { isSlow: () => true } : {});
    await world.submit(ITEMS);
    const { maximum, refused } = await runMany(world);
    assertEquals(maximum, 1);
    refused.delete(undefined);
    assertEquals([...refused], ["default/Mutex/m"]);
    const { status } = await world.awaitEnd("many");
    assertEquals([status?.phase, status?.synchronization], ["Succeeded", undefined]);
    assertEquals(
      Object.values(status!.nodes!).some(({ synchronizationStatus, message }) => synchronizationStatus ?? message),
      false,
    );
  });
}

for (const conflicts of [0, 2]) {
  Deno.test(`lock: passes from node to node of a workflow without an extra write, with ${conflicts} conflicts`, async () => {
    await using world = new ControllerWorld();
    let left = conflicts;
    const semaphores: string[] = [];
    world.between = async (request, next) => {
      const isStatus = request.method === "PATCH" && request.path.includes("/workflows/many");
      const { status } = (isStatus ? request.body : {}) as Partial<Workflow>;
      if (status?.synchronization) semaphores.push(JSON.stringify(status.synchronization));
      // Another client writes when a node has a pod but is not yet written as a holder, or when that is being written.
      const isAfterGrant = semaphores.length > 0 && (isStatus || request.method === "POST");
      if (isAfterGrant && (await podNames(world)).length > 1 && left-- > 0) {
        const metadata = { labels: { touched: String(left) } };
        await world.client.patch(WORKFLOWS, "default", "many", { metadata }, "merge");
      }
      return await next(request.body);
    };
    await setLimits(world, { s: "1" });
    await world.startController();
    await world.submit(ITEMS.replace(", mutexes: [{name: m}]", ""));
    assertEquals((await runMany(world)).maximum, 1);
    const { status } = await world.awaitEnd("many");
    assertEquals([status?.phase, status?.synchronization], ["Succeeded", undefined]);
    assertEquals(semaphores.filter((text) => /"holding":null/.test(text)), []);
    assert(semaphores.length <= 3 + conflicts, `${semaphores.length} writes`);
  });
}

/**
 * The nodes that the status of a workflow names as holders of its locks, and those that its annotation names as next.
 */
async function holdersOf(world: ControllerWorld, name: string): Promise<{ held: string[]; next: string[] }> {
  const { metadata, status } = await world.workflow(name);
  const { semaphore, mutex } = status?.synchronization ?? {};
  const keys = [
    ...(semaphore?.holding ?? []).flatMap(({ holders = [] }) => holders),
    ...(mutex?.holding ?? []).map(({ holder = "" }) => holder),
  ];
  const next: Record<string, string[]> = JSON.parse(metadata.annotations?.[ANNOTATION.nextHolders] ?? "{}");
  return { held: keys.map((key) => key.split("/").at(-1)!), next: Object.values(next).flat() };
}

for (const lane of ["among the others", "in the slow lane"]) {
  Deno.test(`lock: a node named as the next holder gets its pod before it is written as the holder, ${lane}`, async () => {
    await using world = new ControllerWorld();
    const before: string[] = [];
    world.between = async (request, next) => {
      const isPod = request.method === "POST" && /[/]pods([?]|$)/.test(request.path);
      if (isPod) {
        const { held, next } = await holdersOf(world, "many");
        const id = (request.body as Pod).metadata.annotations?.[ANNOTATION.nodeId] ?? "";
        before.push(held.includes(id) ? "holder" : next.includes(id) ? "next" : "nobody");
      }
      return await next(request.body);
    };
    await setLimits(world, { s: "1" });
    await world.startController(lane === "in the slow lane" ? { isSlow: () => true } : {});
    await world.submit(ITEMS.replace(", mutexes: [{name: m}]", ""));
    const namesNext = async () => {
      const { held, next } = await holdersOf(world, "many");
      return next.some((id) => !held.includes(id));
    };
    assertEquals((await runMany(world, namesNext)).maximum, 1);
    const { status, metadata } = await world.awaitEnd("many");
    assertEquals([status?.phase, status?.synchronization], ["Succeeded", undefined]);
    assertEquals(metadata.annotations?.[ANNOTATION.nextHolders], undefined);
    const left = Object.values(status!.nodes!).filter(({ synchronizationStatus, message }) =>
      synchronizationStatus ?? message
    );
    assertEquals(left, []);
    assertEquals(before, ["holder", "next", "next"]);
  });
}

Deno.test("crash: a lock that passed to the next holder stays with it when another workflow requests it", async () => {
  await using world = new ControllerWorld();
  let isDown = false;
  const semaphores: string[] = [];
  world.between = async (request, next) => {
    const isStatus = request.method === "PATCH" && request.path.includes("/workflows/many");
    const { status: written } = (isStatus ? request.body : {}) as Partial<Workflow>;
    if (written && "synchronization" in written) semaphores.push(JSON.stringify(written.synchronization));
    if (!isDown || !isStatus) return await next(request.body);
    const status = { kind: "Status", status: "Failure", reason: "InternalError", message: "no", code: 500 };
    return Response.json(status, { status: 500 });
  };
  await setLimits(world, { s: "1" });
  await world.startController();
  await world.submit(ITEMS.replace(", mutexes: [{name: m}]", ""));
  let first = "";
  await world.waitUntil("the first has its pod", async () => (first = (await podNames(world))[0] ?? "") !== "");
  await world.waitUntil("others are next", async () => (await holdersOf(world, "many")).next.length === 2);
  isDown = true;
  await world.report(await world.startPod(first), true);
  await world.endPod(first);
  await world.waitUntil("the next has its pod", async () => (await podNames(world)).length === 2);
  await world.stopController();
  const second = (await podNames(world)).find((name) => name !== first)!;
  await world.submit(sleepingWorkflow("vip", `  priority: 9\n${semaphore("s")}`));
  isDown = false;
  await world.startController();
  await awaitLockMessage(world, "vip", "Waiting for default/ConfigMap/limits/s lock. Lock status: 0/1");
  await world.waitUntil("the next is written as the holder", async () => {
    const { held } = await holdersOf(world, "many");
    const pod = (await world.client.list<Pod>(PODS, "default")).items.find(({ metadata }) => metadata.name === second);
    return held.length === 1 && held[0] === pod?.metadata.annotations?.[ANNOTATION.nodeId];
  });
  assertEquals(await podNames(world), [first, second].sort());
  // The second node, the third, which was named before the other workflow arrived, and the other workflow.
  assertEquals((await runMany(world)).maximum, 1);
  for (const name of ["many", "vip"]) assertEquals((await world.awaitEnd(name)).status?.phase, "Succeeded");
  // A further crash at any time before the end would not give the lock in use to another holder.
  assertEquals(semaphores.filter((text) => /^null$|"holding":null/.test(text)).length, 1);
  assertEquals(semaphores.at(-1), "null");
});

Deno.test("crash: the next holders know the limit of their lock although no other workflow requests it", async () => {
  await using world = new ControllerWorld();
  await setLimits(world, { s: "1" });
  await world.startController();
  await world.submit(ITEMS.replace(", mutexes: [{name: m}]", ""));
  await world.waitUntil("others are next", async () => (await holdersOf(world, "many")).next.length === 2);
  await world.stopController();
  const messages: string[] = [];
  world.between = async (request, next) => {
    const { status } = (request.body ?? {}) as Partial<Workflow>;
    messages.push(...Object.values(status?.nodes ?? {}).flatMap((node) => node?.message ?? []));
    return await next(request.body);
  };
  await world.startController();
  assertEquals((await runMany(world)).maximum, 1);
  assertEquals((await world.awaitEnd("many")).status?.phase, "Succeeded");
  assertEquals(messages.filter((message) => message.includes("0/0")), []);
});

Deno.test("lock: a grant whose write conflicts creates no pod, and is written or released (T-SY-15)", async () => {
  await using world = new ControllerWorld();
  const sent: SentRequest[] = [];
  let conflicts = 2;
  world.between = async (request, next) => {
    sent.push(request);
    const isGrant = request.method === "PATCH" && JSON.stringify(request.body ?? "").includes("holding");
    if (!isGrant || conflicts-- <= 0) return await next(request.body);
    // Another client writes first.
    await world.client.patch(
      WORKFLOWS,
      "default",
      "w",
      { metadata: { labels: { touched: String(conflicts) } } },
      "merge",
    );
    return await next(request.body);
  };
  await world.startController();
  await world.submit(sleepingWorkflow("w", MUTEX));
  await world.awaitPod("w");
  const grants = sent.findIndex(({ method, path }) => method === "POST" && path.includes("/pods"));
  const patches = sent.slice(0, grants).filter(({ body }) => JSON.stringify(body ?? "").includes("holding"));
  assertEquals(patches.length, 3);
  assertMatch(JSON.stringify((await world.workflow("w")).status?.synchronization), /default\/w/);
  await world.submit(sleepingWorkflow("next", MUTEX));
  await awaitLockMessage(world, "next", WAITS);
  await endPodAndWorkflow(world, "w");
  await endPodAndWorkflow(world, "next");
});

Deno.test("lock: a waiter whose write is refused permanently returns its grant to the next", async () => {
  await using world = new ControllerWorld();
  world.between = (request, next) => {
    const isRefused = request.method === "PATCH" && request.path.includes("/workflows/bad");
    if (!isRefused) return next(request.body);
    const status = { kind: "Status", status: "Failure", reason: "Invalid", message: "no", code: 422 };
    return Promise.resolve(Response.json(status, { status: 422 }));
  };
  await world.startController();
  await world.submit(sleepingWorkflow("bad", MUTEX));
  await world.waitUntil("the write was tried", () => world.logLines.some((line) => line.includes("A pass failed")));
  await world.submit(sleepingWorkflow("good", MUTEX));
  await world.awaitPod("good");
});

Deno.test("semaphore: a limit in a ConfigMap that is not watched is read at each request and release", async () => {
  await using world = new ControllerWorld();
  await setLimits(world, { s: "1" });
  await world.startController({ limitSettings: () => ({ isWatched: false, cacheSeconds: 0 }) });
  for (const name of ["w1", "w2", "w3", "w4"]) await world.submit(sleepingWorkflow(name, semaphore("s")));
  await world.startPod("w1");
  await awaitLockMessage(world, "w4", "Waiting for default/ConfigMap/limits/s lock. Lock status: 0/1");
  await setLimits(world, { s: "2" });
  await endPodAndWorkflow(world, "w1");
  await world.awaitPod("w2");
  await world.awaitPod("w3");
  await setLimits(world, { s: "3" });
  await world.submit(sleepingWorkflow("w5", semaphore("s")));
  await world.awaitPod("w4");
});

Deno.test("lock: a waiting workflow is not written at each grant to others, but names the current holder eventually", async () => {
  await using world = new ControllerWorld();
  const sent: SentRequest[] = [];
  world.between = (request, next) => {
    sent.push(request);
    return next(request.body);
  };
  await world.startController();
  await world.submit(sleepingWorkflow("a", MUTEX));
  await world.startPod("a");
  for (const name of ["b", "c", "d"]) {
    await world.submit(sleepingWorkflow(name, MUTEX));
    await awaitLockMessage(world, name, WAITS);
  }
  await endPodAndWorkflow(world, "a");
  await world.awaitPod("b");
  for (const name of ["c", "d"]) {
    await world.waitUntil(`${name} names the current holder`, async () => {
      const { synchronization } = (await world.workflow(name)).status ?? {};
      return synchronization?.mutex?.waiting?.[0]?.holder === "default/b";
    });
  }
  const writes = sent.filter(({ method, path }) => method === "PATCH" && path.includes("/workflows/d"));
  assertEquals(writes.length, 2);
});

Deno.test("lock: the writes of a grant do not grow with the number of waiters (T-SY-14)", async () => {
  await using world = new ControllerWorld();
  const sent: SentRequest[] = [];
  world.between = (request, next) => {
    sent.push(request);
    return next(request.body);
  };
  await setLimits(world, { few: "3" });
  await world.startController();
  const names = Array.from({ length: 36 }, (_, index) => `w-${index}`);
  for (const name of names) await world.submit(sleepingWorkflow(name, semaphore("few")));
  await Promise.all(names.map((name) => endPodAndWorkflow(world, name)));
  const writes = sent.filter(({ method, path }) => method === "PATCH" && path.includes("/workflows/"));
  // Pending, running and finished are three writes; the current holder may be written once or twice more.
  assert(writes.length <= names.length * 5, `${writes.length} writes for ${names.length} grants`);
});
