import { assertEquals } from "@std/assert";
import { silentLog } from "../../../lib/log.ts";
import { lockItems, type LockTable } from "../../../lib/locks/mod.ts";
import { fakeClock } from "../../../lib/clock/testing/fake_clock.ts";
import type { KubeClient } from "../../../lib/kube/mod.ts";
import { DatabaseLocks, type SharedLocks } from "./database_locks.ts";

type Claim = Parameters<DatabaseLocks["left"]>[0];

/** A claim of a mutex that a database has. */
function claimOf(name: string): Claim {
  const locks = lockItems({ mutexes: [{ name, database: true }] }, "n");
  return { key: `n/${name}`, locks } as unknown as Claim;
}

Deno.test("a lock that is given back while others are being given back is given back too", async () => {
  const given: string[] = [];
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const shared: SharedLocks = {
    begin: () => Promise.resolve([]),
    ownHolds: () => Promise.resolve([]),
    round: () => Promise.resolve([]),
    async release(holds) {
      const names = holds.map(({ name }) => name);
      begun.resolve();
      await go.promise;
      given.push(...names);
    },
    leave: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const table = { hasTrials: false, takeTrials: () => [], databaseClaims: () => [], tryAgain() {} };
  const locks = new DatabaseLocks({
    open: () => Promise.resolve(shared),
    settings: () => ({ sqlite: { path: "none" } }) as never,
    ownNamespace: "argo",
    opensAtStart: false,
    client: undefined as unknown as KubeClient,
    clock: fakeClock(),
    log: silentLog,
    table: table as unknown as LockTable,
    settle: (change) => change(),
  });
  locks.left(claimOf("first"));
  await begun.promise;
  locks.left(claimOf("second"));
  go.resolve();
  await locks.close();
  assertEquals(given, ["mtx/n/first", "mtx/n/second"]);
});
