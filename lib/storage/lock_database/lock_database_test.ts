/** Tests of locks in a database, run on each kind of database. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Kysely, sql } from "kysely";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import type { Database } from "../database/mod.ts";
import { testOnEachServer } from "../database/testing/promises.ts";
import type { TestServer } from "../database/testing/servers.ts";
import { type LockItem, parseLockItems, rowNameOf } from "@tiphys/engine/lock_table";
import { silentLog } from "@tiphys/base/log";
import { SyncLimitError } from "../sync_limits/mod.ts";
import { UserError } from "@tiphys/base/user_error";
import { DatabaseLimits } from "./database_limits.ts";
import { LockDatabase } from "./lock_database.ts";
import { OpenLockDatabase } from "./open_lock_database.ts";
import type { LockClaimant, Outcome } from "./round.ts";
import { prepareLocks } from "./schema.ts";
import type { LockTables } from "./tables.ts";
import { tableNames } from "./tables.ts";

const NAMES = tableNames({});
const HEARTBEAT = 60_000;
const INACTIVE = 600_000;

function mutex(name: string): LockItem {
  return parseLockItems({ mutexes: [{ name, database: true }] }, "n")[0]!;
}

function semaphore(key: string): LockItem {
  return parseLockItems({ semaphores: [{ database: { key } }] }, "n")[0]!;
}

function asker(key: string, locks: readonly LockItem[], more: Partial<LockClaimant> = {}): LockClaimant {
  return { key, locks, priority: 0, created: "2026-11-01T00:00:00Z", ...more };
}

interface Bench {
  readonly database: Database;
  readonly server: TestServer;
  readonly clock: ReturnType<typeof fakeClock>;
  controller(name: string, over?: Database): LockDatabase;
  setLimit(key: string, limit: number | undefined): Promise<void>;
  change(work: (db: Kysely<LockTables>) => Promise<unknown>): Promise<void>;
}

/** Runs a round for these askers and returns their outcomes. */
async function outcomesOf(controller: LockDatabase, ...askers: readonly LockClaimant[]): Promise<string[]> {
  return (await controller.requestLocks(askers)).map(inWords);
}

function inWords(outcome: Outcome): string {
  return "message" in outcome ? outcome.message : outcome.kind;
}

function releaseOf({ key, locks }: LockClaimant) {
  return locks.map((item) => ({ name: rowNameOf(item), key }));
}

const PROMISES: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async "mutex: has one holder across all controllers, and the next one gets it after the release"({ controller }) {
    const [a, b] = [controller("a"), controller("b")];
    const first = asker("n/first", [mutex("m")]);
    const second = asker("n/second", [mutex("m")]);
    assertEquals(await outcomesOf(a, first), ["granted"]);
    assertEquals(await outcomesOf(a, first), ["granted"]);
    const [refused] = await b.requestLocks([second]);
    assertEquals(refused, {
      kind: "refused",
      refused: "n/Database/m",
      message: "Waiting for n/Database/m lock (mtx/n/m). Lock status: 1/1",
      holders: new Map([["mutex n/Database/m", ["n/first"]]]),
      isFull: true,
    });
    await a.release(releaseOf(first));
    await a.release(releaseOf(first));
    assertEquals(await outcomesOf(b, second), ["granted"]);
    assertEquals(await a.listOwnHolds(), []);
    assertEquals(await b.listOwnHolds(), [{ name: "mtx/n/m", key: "n/second" }]);
  },

  async "semaphore: two racing controllers never exceed its limit (T-SY-13)"(bench) {
    await bench.setLimit("s", 2);
    const controllers = [bench.controller("a"), bench.controller("b")];
    const waiting = new Map(
      controllers.map((controller, index) => [
        controller,
        new Set(["1", "2", "3"].map((name) => asker(`n/${"ab"[index]}${name}`, [semaphore("s")]))),
      ]),
    );
    let granted = 0;
    for (let round = 0; granted < 6; round++) {
      assert(round < 30, `${granted} of 6 were granted`);
      const holders = await Promise.all(controllers.map(async (controller) => {
        const open = [...waiting.get(controller)!];
        const outcomes = await controller.requestLocks(open);
        return open.filter((_, index) => outcomes[index]!.kind === "granted");
      }));
      const held = holders.flat();
      assert(held.length <= 2, `${held.map(({ key }) => key)} held it at once`);
      granted += held.length;
      for (const [index, controller] of controllers.entries()) {
        for (const holder of holders[index]!) waiting.get(controller)!.delete(holder);
        await controller.release(holders[index]!.flatMap(releaseOf));
      }
    }
  },

  async "order: the higher priority is next, then the older workflow, across controllers"({ controller }) {
    const [a, b] = [controller("a"), controller("b")];
    const holder = asker("n/holder", [mutex("m")]);
    await outcomesOf(a, holder);
    const old = asker("n/old", [mutex("m")]);
    const young = asker("n/young", [mutex("m")], { created: "2026-11-01T00:00:01Z" });
    const urgent = asker("n/urgent", [mutex("m")], { created: "2026-11-01T00:00:02Z", priority: 5 });
    await outcomesOf(a, young);
    await outcomesOf(b, old, urgent);
    await a.release(releaseOf(holder));
    const full = "Waiting for n/Database/m lock (mtx/n/m). Lock status: 0/1";
    assertEquals(await outcomesOf(a, young), [full]);
    assertEquals((await outcomesOf(b, old, urgent))[1], "granted");
    await b.release(releaseOf(urgent));
    assertEquals(await outcomesOf(a, young), [full]);
    assertEquals(await outcomesOf(b, old), ["granted"]);
    await b.release(releaseOf(old));
    assertEquals(await outcomesOf(a, young), ["granted"]);
  },

  async "dead controller: its requests expire, and the locks that it holds stay held (T-SY-13)"(bench) {
    await bench.setLimit("s", 2);
    const [dead, alive] = [bench.controller("dead"), bench.controller("alive")];
    const locks = [semaphore("s")];
    assertEquals(await outcomesOf(dead, asker("n/d1", locks)), ["granted"]);
    await outcomesOf(alive, asker("n/a1", locks));
    await outcomesOf(dead, asker("n/d2", locks, { priority: 9 }));
    await alive.release(releaseOf(asker("n/a1", locks)));
    const waits = "Waiting for n/Database/s lock (sem/n/s). Lock status: 1/2";
    bench.clock.advance(INACTIVE - 2000);
    assertEquals(await outcomesOf(alive, asker("n/a2", locks)), [waits]);
    bench.clock.advance(3000);
    assertEquals(await outcomesOf(alive, asker("n/a2", locks)), ["granted"]);
    assertEquals(await outcomesOf(alive, asker("n/a3", locks)), [waits.replace("1/2", "2/2")]);
  },

  async "several locks: are granted all or none, and no later request gets one of them first"({ controller }) {
    const a = controller("a");
    const holder = asker("n/holder", [mutex("y")]);
    await outcomesOf(a, holder);
    const both = asker("n/both", [mutex("x"), mutex("y")]);
    const behind = asker("n/z", [mutex("x")]);
    const [first, second] = await outcomesOf(a, both, behind);
    assertEquals(first, "Waiting for n/Database/y lock (mtx/n/y). Lock status: 1/1");
    assertEquals(second, "Waiting for n/Database/x lock (mtx/n/x). Lock status: 0/1");
    await a.release(releaseOf(holder));
    assertEquals((await outcomesOf(a, both, behind))[0], "granted");
  },

  async "order: a node may overtake others of the same workflow, not of a namesake elsewhere"(
    { controller, setLimit },
  ) {
    await setLimit("s", 2);
    const a = controller("a");
    const holder = asker("n/holder", [mutex("m")]);
    await outcomesOf(a, holder);
    const first = asker("n/w/1", [semaphore("s"), mutex("m")]);
    const second = asker("n/w/2", [semaphore("s")]);
    const namesake = asker("o/w/3", [semaphore("s")]);
    assertEquals((await outcomesOf(a, first, second, namesake)).slice(1), [
      "granted",
      "Waiting for n/Database/s lock (sem/n/s). Lock status: 1/2",
    ]);
  },

  async "limits: are read in each round; 0 pauses, a deleted row keeps the last limit, a missing row fails"(
    { controller, setLimit },
  ) {
    const a = controller("a");
    const claimant = asker("n/one", [semaphore("s")]);
    assertEquals(await outcomesOf(a, claimant), [
      'failed to initialize semaphore n/Database/s with limit: the database has no limit named "n/s"',
    ]);
    await setLimit("s", 0);
    assertEquals(await outcomesOf(a, claimant), ["Waiting for n/Database/s lock (sem/n/s). Lock status: 0/0"]);
    await setLimit("s", 1);
    assertEquals(await outcomesOf(a, claimant), ["granted"]);
    await setLimit("s", undefined);
    const waits = "Waiting for n/Database/s lock (sem/n/s). Lock status: 1/1";
    assertEquals(await outcomesOf(a, asker("n/two", [semaphore("s")])), [waits]);
  },

  async "sync_lock: a lock that another live controller decides about is not granted"({ controller, change, clock }) {
    const [a, b] = [controller("a"), controller("b")];
    await b.begin();
    const row = (name: string, controller: string) => ({ name, controller, time: "2026-11-01 00:00:00" });
    await change((db) => db.insertInto("sync_lock").values([row("mtx/n/m", "b"), row("mtx/n/own", "a")]).execute());
    const askers = [asker("n/w", [mutex("m")]), asker("n/v", [mutex("own")]), asker("n/u", [mutex("free")])];
    assertEquals(await outcomesOf(a, ...askers), ["busy", "granted", "granted"]);
    clock.advance(INACTIVE + 1000);
    assertEquals(await outcomesOf(a, askers[0]!), ["granted"]);
    await change(async (db) => assertEquals(await db.selectFrom("sync_lock").selectAll().execute(), []));
  },

  async "begin: drops earlier requests of the controller and returns the locks that it holds"(
    { controller },
  ) {
    const before = controller("a");
    await outcomesOf(before, asker("n/holder", [mutex("m")]));
    await outcomesOf(before, asker("n/lost", [mutex("m")], { priority: 9 }));
    const after = controller("a");
    assertEquals(await after.begin(), [{ name: "mtx/n/m", key: "n/holder" }]);
    await after.release([{ name: "mtx/n/m", key: "n/holder" }]);
    assertEquals(await outcomesOf(controller("b"), asker("n/other", [mutex("m")])), ["granted"]);
  },

  async "requestLocks: handles 2000 requests and grants them up to the limit"(
    { controller, setLimit },
  ) {
    await setLimit("s", 10);
    const a = controller("a");
    const askers = Array.from(
      { length: 2000 },
      (_, index) => asker(`n/w${String(index).padStart(4, "0")}`, [semaphore("s")]),
    );
    const outcomes = await outcomesOf(a, ...askers);
    assertEquals(outcomes.filter((words) => words === "granted").length, 10);
    assertEquals(outcomes.slice(0, 10).every((words) => words === "granted"), true);
    await a.release(releaseOf(askers[0]!));
    assertEquals((await outcomesOf(a, ...askers.slice(10))).filter((words) => words === "granted"), ["granted"]);
  },

  async "DatabaseLimits: creation is exclusive, and updates and deletions can be repeated"({ database }) {
    const limits = new DatabaseLimits(database, NAMES);
    const name = { type: "DATABASE", namespace: "n", key: "k" } as const;
    const refusal = async (work: Promise<unknown>) => {
      const { code, message } = await assertRejects(() => work, SyncLimitError);
      return [code, message];
    };
    const missing = ["NotFound", 'Database sync limit not found in namespace "n".'];
    assertEquals(await refusal(limits.get(name)), missing);
    assertEquals(await refusal(limits.update({ ...name, limit: 1 })), missing);
    assertEquals(await limits.create({ ...name, limit: 3 }), { ...name, limit: 3 });
    assertEquals(await refusal(limits.create({ ...name, limit: 3 })), [
      "AlreadyExists",
      'Database sync limit already exists in namespace "n".',
    ]);
    for (const limit of [5, 5]) assertEquals(await limits.update({ ...name, limit }), { ...name, limit });
    assertEquals(await limits.get(name), { ...name, limit: 5 });
    await limits.delete(name);
    await limits.delete(name);
    assertEquals(await refusal(limits.get(name)), missing);
  },

  async "prepareLocks: keeps tables of Argo's version and rejects an older one"({ database, change }) {
    const version = (schema_version: number) =>
      change((db) => sql`update sync_schema_history set schema_version = ${schema_version}`.execute(db));
    await prepareLocks(database, NAMES, { log: silentLog, skipMigration: true });
    await version(3);
    await assertRejects(
      () => prepareLocks(database, NAMES, { log: silentLog }),
      UserError,
      "Could not open the database of locks: its tables are at version 3, expected 10",
    );
    await version(10);
  },

  async "OpenLockDatabase: requires valid names of the tables and the controller"({ server }) {
    const world = { clock: fakeClock(), log: silentLog, secret: server.secret };
    const named = { ...server.settings, controllerName: "x" };
    for (
      const [settings, message] of [
        [{ ...named, controllerName: "" }, "synchronization: controllerName: expected a name"],
        [{ ...named, lockTableName: "a b" }, 'synchronization: lockTableName: expected the name of a table, got "a b"'],
      ] as const
    ) await assertRejects(() => OpenLockDatabase.open(settings, world), UserError, message);
    await using opened = await OpenLockDatabase.open(named, world);
    assertEquals(await opened.begin(), []);
  },
};

function benchOn(database: Database, server: TestServer): Bench {
  const clock = fakeClock();
  const change: Bench["change"] = async (work) => {
    await database.query<LockTables, unknown>(work);
  };
  return {
    database,
    server,
    clock,
    change,
    controller: (controller, over = database) =>
      new LockDatabase({
        database: over,
        names: NAMES,
        clock,
        log: silentLog,
        controller,
        heartbeatMillis: HEARTBEAT,
        inactiveMillis: INACTIVE,
      }),
    setLimit: (key, limit) =>
      change(async (db) => {
        await db.deleteFrom("sync_limit").where("name", "=", `n/${key}`).execute();
        if (limit !== undefined) {
          await db.insertInto("sync_limit").values({ name: `n/${key}`, sizelimit: limit }).execute();
        }
      }),
  };
}

async function empty(database: Database): Promise<void> {
  await database.query<LockTables, void>(async (db) => {
    for (const table of Object.values(NAMES)) await db.deleteFrom(table).execute();
  });
}

testOnEachServer({
  title: "LockDatabase",
  async prepare(database, another) {
    await Promise.all([database, another].map((database) => prepareLocks(database, NAMES, { log: silentLog })));
  },
  async bench(database, server) {
    await empty(database);
    return benchOn(database, server);
  },
  promises: PROMISES,
});
