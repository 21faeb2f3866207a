import { assertEquals } from "@std/assert";
import { silentLog } from "@tiphys/base/log";
import { LockTable, parseLockItems } from "@tiphys/engine/lock_table";
import { fakeClock } from "../../../lib/base/clock/testing/fake_clock.ts";
import type { KubeClient } from "@tiphys/kube";
import { DatabaseLocks, type SharedLocks } from "./database_locks.ts";

type Claim = Parameters<DatabaseLocks["removeClaim"]>[0];

/** A claim of a mutex in the database. */
function claimOf(name: string): Claim {
  const locks = parseLockItems({ mutexes: [{ name, database: true }] }, "n");
  return { key: `n/${name}`, locks } as unknown as Claim;
}

Deno.test("database locks: a lock that is released while others are being released is released as well", async () => {
  const given: string[] = [];
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const shared: SharedLocks = {
    begin: () => Promise.resolve([]),
    listOwnHolds: () => Promise.resolve([]),
    requestLocks: () => Promise.resolve([]),
    async release(holds) {
      const names = holds.map(({ name }) => name);
      begun.resolve();
      await go.promise;
      given.push(...names);
    },
    deleteWaiting: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const table = {
    hasDatabaseRequests: false,
    takeDatabaseRequests: () => [],
    databaseClaims: () => [],
    retryDatabaseRequests() {},
  };
  const locks = new DatabaseLocks({
    open: () => Promise.resolve(shared),
    settings: () => ({ sqlite: { path: "none" } }) as never,
    ownNamespace: "argo",
    opensAtStart: false,
    client: undefined as unknown as KubeClient,
    clock: fakeClock(),
    log: silentLog,
    table: table as unknown as LockTable,
    applyChange: (change) => change(),
  });
  locks.removeClaim(claimOf("first"));
  await begun.promise;
  locks.removeClaim(claimOf("second"));
  go.resolve();
  await locks.close();
  assertEquals(given, ["mtx/n/first", "mtx/n/second"]);
});

/** A database that stores rows like the real one: a mutex goes to the first that requests it. */
function rowsOfDatabase(held: Iterable<string>) {
  const rows = new Set(held);
  const rounds: PromiseWithResolvers<void>[] = [];
  const shared: SharedLocks = {
    begin: () => Promise.resolve([]),
    listOwnHolds: () => Promise.resolve([]),
    async requestLocks(askers) {
      const round = Promise.withResolvers<void>();
      rounds.push(round);
      for (const { key } of askers) rows.add(key);
      await round.promise;
      return askers.map(({ key }) =>
        [...rows][0] === key
          ? { kind: "granted" }
          : { kind: "refused", refused: "n/m", isFull: true, holders: new Map(), message: "it is held" }
      );
    },
    release(holds) {
      for (const { key } of holds) rows.delete(key);
      return Promise.resolve();
    },
    deleteWaiting: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { shared, rows, rounds };
}

for (const moment of ["during a request to the database", "between two rounds"]) {
  for (const holder of ["another controller", "a node of the workflow"]) {
    Deno.test(`database locks: a workflow that ends ${moment} leaves no row behind if ${holder} has the lock`, async () => {
      const { shared, rows, rounds } = rowsOfDatabase(holder === "another controller" ? ["other"] : []);
      const clock = fakeClock();
      const table: LockTable = new LockTable({ onReleased: (claim) => locks.removeClaim(claim) });
      const settle = (change = () => {}) => {
        change();
        table.grantAndAnswer();
        locks.requestLocks();
      };
      const locks: DatabaseLocks = new DatabaseLocks({
        open: () => Promise.resolve(shared),
        settings: () => ({ sqlite: { path: "none" } }) as never,
        ownNamespace: "argo",
        opensAtStart: false,
        client: undefined as unknown as KubeClient,
        clock,
        log: silentLog,
        table,
        applyChange: settle,
      });
      const wanted = parseLockItems({ mutexes: [{ name: "m", database: true }] }, "n");
      for (const nodeId of ["a", "b", "c"]) table.request("n/wf", "", { nodeId, locks: wanted, priority: 0 });
      settle();
      const turns = async () => {
        for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      };
      await turns();
      if (moment === "between two rounds") {
        rounds.at(-1)!.resolve();
        await turns();
      }
      table.releaseAll("n/wf");
      settle();
      for (let turn = 0; turn < 5; turn++) {
        await turns();
        for (const round of rounds) round.resolve();
      }
      await locks.close();
      rows.delete("other");
      assertEquals([...rows], []);
    });
  }
}
