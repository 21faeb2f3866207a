/** Database locks, by real controllers over the embedded API: several controllers share one file. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { SynchronizationSettings, Workflow } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import { type Database, openDatabase } from "../../lib/storage/database/mod.ts";
import { OpenLimits, OpenLockDatabase } from "@tiphys/storage/lock_database";
import type { LockTables } from "../../lib/storage/lock_database/tables.ts";
import { DEADLOCK } from "@tiphys/base/constants";
import { silentLog } from "@tiphys/base/log";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { controllerMetrics } from "../../controller/metrics/own_metrics.ts";
import type { MetricRegistry } from "@tiphys/base/metrics";
import { lockingWorkflow } from "./lock_taker.ts";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

const MUTEX = "  synchronization: {mutexes: [{name: alpha, database: true}]}";
const SEMAPHORE = "  synchronization: {semaphores: [{database: {key: s}}]}";
const FULL = "Waiting for default/Database/alpha lock (mtx/default/alpha). Lock status: 1/1";

const secret = () => Promise.reject(new Error("SQLite needs no secret"));

/** A file of locks, and worlds whose controllers share it. */
class SharedFile implements AsyncDisposable {
  readonly #folder = Deno.makeTempDirSync({ prefix: "locks" });
  readonly #worlds: ControllerWorld[] = [];
  readonly file = `${this.#folder}/locks.db`;

  settings(controllerName: string): SynchronizationSettings {
    return { sqlite: { file: this.file }, controllerName, pollSeconds: 1 };
  }

  world(): ControllerWorld {
    const world = new ControllerWorld();
    this.#worlds.push(world);
    return world;
  }

  /** Starts the controller of a world, which opens the file at once. */
  async start(world: ControllerWorld, controllerName: string, metrics?: MetricRegistry) {
    const settings = this.settings(controllerName);
    await world.startController({
      ...(metrics && { metrics }),
      lockDatabase: {
        open: (settings, lockWorld) => OpenLockDatabase.open(settings, lockWorld),
        settings: () => settings,
        ownNamespace: "argo",
        opensAtStart: true,
      },
    });
  }

  async setLimit(limit: number): Promise<void> {
    await using limits = await OpenLimits.open(this.settings("test"), { clock: systemClock, log: silentLog, secret });
    const row = { type: "DATABASE", namespace: "default", key: "s", limit } as const;
    await limits.delete(row);
    await limits.create(row);
  }

  async change<T>(work: (database: Database) => Promise<T>): Promise<T> {
    await using database = openDatabase(this.settings("test"), { clock: systemClock, secret });
    return await work(database);
  }

  /** The rows of all holders and waiters, as `holds KEY` or `waits KEY`. */
  async rows(): Promise<string[]> {
    const rows = await this.change((database) =>
      database.query<LockTables, { held: boolean; workflowkey: string }[]>((db) =>
        db.selectFrom("sync_state").select(["held", "workflowkey"]).orderBy("workflowkey").execute()
      )
    );
    return rows.map(({ held, workflowkey }) => `${held ? "holds" : "waits"} ${workflowkey}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const world of this.#worlds) await world[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** The gauges of the mutex. */
function lockGauges(metrics: MetricRegistry): string[] {
  const labels = { type: "mutex", storage: "database", lock_name: "alpha", namespace: "default" };
  return (["locks_held", "locks_pending"] as const).flatMap((name) =>
    [...metrics.builtIn(name).samples()].map((sample) => {
      assertEquals(sample.labels, labels);
      return `${name} ${sample.value}`;
    })
  );
}

async function awaitLockMessage(world: ControllerWorld, name: string, message: string): Promise<Workflow> {
  let found: Workflow | undefined;
  await world.waitUntil(`${name} waits: ${message}`, async () => {
    found = await world.workflow(name);
    return found.status?.phase === "Pending" && found.status.message === message;
  });
  return found!;
}

async function end(world: ControllerWorld, name: string): Promise<void> {
  await world.report(await world.startPod(name), true);
  await world.endPod(name);
  await world.awaitEnd(name);
}

Deno.test("database mutex: has one holder among two controllers, and passes from one to the other", async () => {
  await using shared = new SharedFile();
  const [a, b] = [shared.world(), shared.world()];
  const [metricsOfA, metricsOfB] = [undefined, undefined].map(() => controllerMetrics({ now: () => Date.now() }));
  await shared.start(a, "a", metricsOfA);
  await shared.start(b, "b", metricsOfB);
  await a.submit(sleepingWorkflow("first", MUTEX));
  await a.startPod("first");
  const holding = { holding: [{ holder: "default/first", mutex: "default/Database/alpha" }] };
  assertEquals((await a.workflow("first")).status?.synchronization, { mutex: holding });
  await b.submit(sleepingWorkflow("second", MUTEX));
  const second = await awaitLockMessage(b, "second", FULL);
  const waiting = { waiting: [{ holder: "default/first", mutex: "default/Database/alpha" }] };
  assertEquals(second.status?.synchronization, { mutex: waiting });
  assertEquals(await shared.rows(), ["holds default/first", "waits default/second"]);
  // Each controller counts its own: the total is the sum over all controllers.
  assertEquals([lockGauges(metricsOfA!), lockGauges(metricsOfB!)], [["locks_held 1", "locks_pending 0"], [
    "locks_held 0",
    "locks_pending 1",
  ]]);
  await end(a, "first");
  await end(b, "second");
  assertEquals((await b.workflow("second")).status?.synchronization, undefined);
  await b.waitUntil("no row is left", async () => (await shared.rows()).length === 0);
  assertEquals([lockGauges(metricsOfA!), lockGauges(metricsOfB!)], [[], []]);
});

Deno.test("database deadlock: reported when all its workflows belong to one controller, and not otherwise", async () => {
  await using shared = new SharedFile();
  const [a, b] = [shared.world(), shared.world()];
  await shared.start(a, "a");
  await shared.start(b, "b");
  const [d, m, other] = ["{name: d, database: true}", "{name: m}", "{name: other, database: true}"];
  const takers: [ControllerWorld, string, string, string][] = [[a, "w1", d, m], [a, "w2", m, d], [b, "w3", other, d]];
  for (const [world, name, holds, wants] of takers) {
    await world.submit(lockingWorkflow(name, holds, wants));
    const holding = async () => (await world.workflow(name)).status?.synchronization?.mutex?.holding !== undefined;
    await world.waitUntil(`${name} holds its lock`, holding);
  }
  for (const [world, name] of takers) {
    await world.client.patch(WORKFLOWS, "default", name, { spec: { suspend: null } });
  }
  const messageOf = async (world: ControllerWorld, name: string) =>
    Object.values((await world.workflow(name)).status?.nodes ?? {}).find((node) => node.displayName === "take")
      ?.message;
  const full = "Waiting for default/Database/d lock (mtx/default/d). Lock status: 1/1";
  const ofW1 = "workflow w1 holds default/Database/d, and w1[0].take in it waits for default/Mutex/m";
  const ofW2 = "workflow w2 holds default/Mutex/m, and w2[0].take in it waits for default/Database/d";
  await a.waitUntil("both messages name the deadlock", async () => {
    const messages = [await messageOf(a, "w1"), await messageOf(a, "w2")];
    const waits = "Waiting for default/Mutex/m lock. Lock status: 0/1";
    return messages[0] === `${waits}${DEADLOCK}${ofW2}; ${ofW1}` &&
      messages[1] === `${full}${DEADLOCK}${ofW1}; ${ofW2}`;
  });
  // The holder belongs to another controller and may continue.
  await b.waitUntil("w3 waits", async () => await messageOf(b, "w3") === full);
  await a.client.patch(WORKFLOWS, "default", "w1", { spec: { shutdown: "Terminate" } });
  await a.waitUntil(
    "the message of w2 no longer names the deadlock",
    async () => !(await messageOf(a, "w2"))?.includes(DEADLOCK),
  );
});

Deno.test("database deadlock: reported within one workflow", async () => {
  await using shared = new SharedFile();
  const world = shared.world();
  await shared.start(world, "a");
  const lock = (name: string, mutex: string, inner: string) => `
  - name: ${name}
    synchronization: {mutexes: [${mutex}]}
    ${inner}`;
  const container = 'container: {image: busybox, command: ["true"]}';
  const steps = (template: string) => `steps: [[{name: in, template: ${template}}]]`;
  await world.submit(`
metadata: {name: w}
spec:
  entrypoint: main
  templates:
  - name: main
    dag: {tasks: [{name: a, template: d-m}, {name: b, template: m-d}]}
${lock("d-m", "{name: d, database: true}", steps("m"))}
${lock("m-d", "{name: m}", steps("d"))}
${lock("m", "{name: m}", container)}
${lock("d", "{name: d, database: true}", container)}`);
  await world.waitUntil("both messages name the deadlock", async () => {
    const { status } = await world.workflow("w");
    return Object.values(status?.nodes ?? {}).filter(({ message }) => message?.includes(DEADLOCK)).length === 2;
  });
});

Deno.test("database semaphore: with a limit of two, two of six workflows of two controllers run at a time, and all finish (T-SY-13)", async () => {
  await using shared = new SharedFile();
  const worlds = [shared.world(), shared.world()];
  await shared.start(worlds[0]!, "a");
  await shared.start(worlds[1]!, "b");
  await shared.setLimit(2);
  for (const [index, world] of worlds.entries()) {
    for (const name of [1, 2, 3]) await world.submit(sleepingWorkflow(`w${index}${name}`, SEMAPHORE));
  }
  const ended = new Set<string>();
  while (ended.size < 6) {
    let running: [ControllerWorld, string][] = [];
    await worlds[0]!.waitUntil("one workflow holds the semaphore", async () => {
      running = [];
      for (const world of worlds) {
        const { items } = await world.client.list<Workflow>(WORKFLOWS, "default");
        for (const { metadata: { name = "" }, status } of items) {
          if (status?.phase === "Running") running.push([world, name]);
        }
      }
      return running.length > 0;
    });
    assert(running.length <= 2, running.map(([, name]) => name).join());
    const held = (await shared.rows()).filter((row) => row.startsWith("holds"));
    assert(held.length <= 2, held.join());
    const [world, name] = running[0]!;
    await end(world, name);
    ended.add(name);
  }
});

Deno.test("restart: a workflow with a database row keeps its lock, one without a row fails (SY-53)", async () => {
  await using shared = new SharedFile();
  const world = shared.world();
  await shared.start(world, "a");
  await world.submit(sleepingWorkflow("kept", "  synchronization: {mutexes: [{name: kept, database: true}]}"));
  await world.submit(sleepingWorkflow("gone", "  synchronization: {mutexes: [{name: gone, database: true}]}"));
  await world.startPod("kept");
  await world.startPod("gone");
  await world.stopController();
  await shared.change((database) =>
    database.query<LockTables, unknown>(async (db) => {
      await db.deleteFrom("sync_state").where("name", "=", "mtx/default/gone").execute();
      // A row of a workflow that was deleted while no controller was running.
      const row = { controller: "a", held: true, priority: 0, time: "2026-11-01 00:00:00" };
      await db.insertInto("sync_state").values({ ...row, name: "mtx/default/old", workflowkey: "default/old" })
        .execute();
    })
  );
  await shared.start(world, "a");
  const { status } = await world.awaitEnd("gone");
  assertEquals([status?.phase, status?.message], [
    "Failed",
    "Failed to re-establish synchronization lock at controller startup: could not re-establish mutex " +
    '"default/Database/gone" at controller startup: hold on mtx/default/gone for default/gone is not present in the database',
  ]);
  await world.waitUntil("unused rows are deleted", async () => (await shared.rows()).join() === "holds default/kept");
  await end(world, "kept");
});

Deno.test("database lock: a node holds it as long as it runs, and a template may have both kinds of locks", async () => {
  await using shared = new SharedFile();
  const world = shared.world();
  await shared.start(world, "a");
  await shared.setLimit(1);
  await world.submit(`
metadata: {name: many}
spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{name: a, template: work, withItems: [1, 2]}]]
  - name: work
    synchronization: {semaphores: [{database: {key: s}}], mutexes: [{name: local}]}
    container: {image: busybox, command: [sleep]}`);
  const pods: string[] = [];
  while (pods.length < 2) {
    let open: string[] = [];
    await world.waitUntil("a node runs", async () => {
      const { items } = await world.client.list(PODS, "default");
      open = items.map(({ metadata }) => metadata.name!).filter((name) => !pods.includes(name));
      return open.length > 0;
    });
    assertEquals(open.length, 1);
    assertEquals((await shared.rows()).filter((row) => row.startsWith("holds")).length, 1);
    pods.push(open[0]!);
    await world.report(await world.startPod(open[0]!), true);
    await world.endPod(open[0]!);
  }
  assertEquals((await world.awaitEnd("many")).status?.phase, "Succeeded");
});

Deno.test("database lock: a waiting workflow reports that the database is unreachable and resumes later; others are not delayed", async () => {
  await using shared = new SharedFile();
  const world = shared.world();
  // A folder in place of the file: the database cannot be opened.
  await Deno.mkdir(shared.file);
  await shared.start(world, "a");
  await world.submit(sleepingWorkflow("w", MUTEX));
  await world.waitUntil("the message names the reason", async () => {
    const { phase, message = "" } = (await world.workflow("w")).status ?? {};
    const begins = "Waiting to acquire the synchronization lock. synchronization database session is not available: ";
    return phase === "Pending" && message.startsWith(begins);
  });
  await world.submit(sleepingWorkflow("other"));
  await world.startPod("other");
  await Deno.remove(shared.file);
  await world.startPod("w");
  assertEquals((await world.workflow("w")).status?.message, undefined);
});

Deno.test("database lock: a workflow fails with the reason when there is no database, or no limit for its semaphore", async () => {
  await using shared = new SharedFile();
  const [bare, set] = [shared.world(), shared.world()];
  await bare.startController();
  await bare.submit(sleepingWorkflow("w", MUTEX));
  const failed = "Failed to acquire the synchronization lock. ";
  const { status } = await bare.awaitEnd("w");
  assertEquals(status?.message, `${failed}synchronization database session is not available`);
  await shared.start(set, "a");
  await set.submit(sleepingWorkflow("w", SEMAPHORE));
  assertEquals(
    (await set.awaitEnd("w")).status?.message,
    `${failed}failed to initialize semaphore default/Database/s with limit: the database has no limit named "default/s"`,
  );
  assertEquals(await shared.rows(), []);
});

Deno.test("database lock: a controller with unusable tables reports that and keeps running; a stopped waiter leaves no row", async () => {
  await using shared = new SharedFile();
  const world = shared.world();
  await shared.start(world, "");
  await world.waitUntil(
    "it is in the log",
    () => world.logLines.some((line) => /not available.*controllerName/.test(line)),
  );
  await world.submit(sleepingWorkflow("plain"));
  await world.startPod("plain");
  await world.stopController();
  await shared.start(world, "a");
  await world.submit(sleepingWorkflow("holder", MUTEX));
  await world.startPod("holder");
  await world.submit(sleepingWorkflow("waiter", MUTEX));
  await awaitLockMessage(world, "waiter", FULL);
  await world.client.patch(WORKFLOWS, "default", "waiter", { spec: { shutdown: "Stop" } }, "merge");
  assertMatch((await world.awaitEnd("waiter")).status?.message ?? "", /^Stopped with strategy 'Stop'/);
  await world.waitUntil("its row is gone", async () => (await shared.rows()).join() === "holds default/holder");
});
