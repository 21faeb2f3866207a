/** Reports about locks, limits and schedules of several workflows: calls of the functions concerned. */
import { Slots } from "../../../controller/cron/slots.ts";
import { DatabaseLocks, type SharedLocks } from "../../../controller/workflow/sync/database_locks.ts";
import { Throttle, type WorkState } from "../../../controller/loop/throttle.ts";
import { GoZone } from "@tiphys/base/go";
import { silentLog } from "@tiphys/base/log";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import type { LockRow } from "@tiphys/storage/lock_database";
import { fakeClock } from "../../../lib/base/clock/testing/fake_clock.ts";
import { parseLockItem } from "../../../lib/engine/lock_table/lock_item.ts";
import { LockTable, parseLockItems } from "@tiphys/engine/lock_table";
import type { CallReport } from "../call_report.ts";

const CREATED = "2026-01-01T00:00:00Z";

/** A throttle with a limit, and the workflows that it has admitted after they waited. */
function throttleBench(limits: { parallelism: number }) {
  const admitted: string[] = [];
  const throttle = new Throttle(() => limits, (key) => admitted.push(key));
  const see = (key: string, state: WorkState) =>
    throttle.recordState(key, state, { namespace: "n", priority: 0, created: CREATED });
  return { throttle, admitted, see };
}

/** A lock table, a request for a mutex, and the workflows that hold it. */
function lockBench() {
  const table = new LockTable();
  const lock = { nodeId: "", locks: [parseLockItem("mutex", "n/Mutex/m")], priority: 0 };
  const holders = (...names: string[]) => names.filter((name) => table.answersOf(name)?.get("")?.kind === "held");
  return { table, lock, holders };
}

/** Locks of a database that may be unreachable, and that grants every lock. */
function databaseBench() {
  const table = new LockTable();
  const clock = fakeClock();
  const open = { isReachable: true, holds: [] as LockRow[], released: [] as LockRow[] };
  const shared: SharedLocks = {
    begin: () => Promise.resolve(open.holds),
    listOwnHolds: () => Promise.resolve(open.holds),
    requestLocks: (claimants) => Promise.resolve(claimants.map(() => ({ kind: "granted" }))),
    release(holds) {
      open.released.push(...holds);
      change();
      return Promise.resolve();
    },
    deleteWaiting: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const locks = new DatabaseLocks({
    open: () => open.isReachable ? Promise.resolve(shared) : Promise.reject(new Error("connection refused")),
    settings: () => ({ sqlite: { file: "none" } }),
    ownNamespace: "argo",
    opensAtStart: false,
    client: new KubeClient(handlerTransport(() => Promise.reject(new TypeError("no request is expected")))),
    clock,
    log: silentLog,
    table,
    applyChange(act) {
      act();
      table.grantAndAnswer();
      change();
    },
  });
  const mutex = parseLockItems({ mutexes: [{ name: "m", database: true }] }, "n");
  return {
    table,
    clock,
    open,
    locks,
    ask(name: string) {
      table.request(name, CREATED, { nodeId: "", locks: mutex, priority: 0 });
      table.grantAndAnswer();
      locks.requestLocks();
    },
    /** Waits until a fact holds after some change. */
    async until(isTrue: () => boolean) {
      while (!isTrue()) await changed.promise;
    },
  };
}

/** Reports about locks, limits and schedules of several workflows. */
export const LIMITS: readonly CallReport[] = [
  {
    issues: [14123, 16569, 14606],
    behavior: "parallelism: workflows that run are not postponed when the limit is lowered",
    call: () => {
      const { throttle, see } = throttleBench({ parallelism: 1 });
      for (const key of ["n/a", "n/b"]) see(key, "working");
      see("n/c", "waiting");
      return ["n/a", "n/b", "n/c"].map((key) => throttle.mayRun(key));
    },
    returns: [true, true, false],
  },
  {
    issues: [14690, 16486],
    behavior: "parallelism: a limit that is raised admits workflows without a restart",
    call: () => {
      const limits = { parallelism: 1 };
      const { throttle, admitted, see } = throttleBench(limits);
      see("n/a", "working");
      for (const key of ["n/b", "n/c"]) see(key, "waiting");
      limits.parallelism = 2;
      throttle.reconsider();
      return admitted;
    },
    returns: ["n/b"],
  },
  {
    issues: [11098, 10286, 15609],
    behavior: "lock: after a restart the holder that the status names holds it",
    call: () => {
      const { table, lock, holders } = lockBench();
      table.restore("n/a", CREATED, lock);
      table.request("n/b", CREATED, lock);
      table.grantAndAnswer();
      return holders("n/a", "n/b");
    },
    returns: ["n/a"],
  },
  {
    issues: [16160, 16405],
    behavior: "semaphore: holders above a lowered limit keep it, and others wait until there is room",
    call: () => {
      const semaphore = parseLockItem("semaphore", "n/ConfigMap/c/k");
      const request = { nodeId: "", locks: [semaphore], priority: 0 };
      const { table, holders } = lockBench();
      for (const name of ["n/a", "n/b"]) table.restore(name, CREATED, request);
      table.request("n/c", CREATED, request);
      table.setLimit(semaphore, 1);
      return ["", "n/a", "n/b"].map((name) => {
        if (name) table.release(name, "");
        table.grantAndAnswer();
        return holders("n/a", "n/b", "n/c");
      });
    },
    returns: [["n/a", "n/b"], ["n/b"], ["n/c"]],
  },
  {
    issues: [15239],
    behavior: "mutex: a holder that releases it gives it to the next workflow, and waits no more",
    call: () => {
      const { table, lock, holders } = lockBench();
      for (const name of ["n/a", "n/b"]) table.request(name, CREATED, lock);
      table.grantAndAnswer();
      table.release("n/a", "");
      table.grantAndAnswer();
      return holders("n/a", "n/b");
    },
    returns: ["n/b"],
  },
  {
    issues: [13786, 15653],
    behavior: "schedule: the latest moment is that of its time zone, in summer and in winter",
    call: () => {
      const options = { timezone: "CET", local: GoZone.UTC, anchor: 0 };
      const slots = new Slots(["0 18 * * *"], options);
      return ["2026-01-15T00:00:00Z", "2026-07-15T00:00:00Z"].map((from) =>
        new Date(slots.next(Date.parse(from))!).toISOString()
      );
    },
    returns: ["2026-01-15T17:00:00.000Z", "2026-07-15T16:00:00.000Z"],
  },
  {
    issues: [13363, 13369],
    behavior: "schedules: several ones share the time zone and a common moment",
    call: () => {
      const schedules = ["0 9 * * *", "0 9 1 * *", "30 8 * * *"];
      const slots = new Slots(schedules, { timezone: "Asia/Tokyo", local: GoZone.UTC, anchor: 0 });
      const times: string[] = [];
      for (let time = Date.parse("2026-01-31T20:00:00Z"); times.length < 3;) {
        time = slots.next(time)!;
        times.push(new Date(time).toISOString().slice(0, 16));
      }
      return times;
    },
    returns: ["2026-01-31T23:30", "2026-02-01T00:00", "2026-02-01T23:30"],
  },
  {
    issues: [15558],
    behavior: "semaphore: a node that releases it wakes the workflow of the node that waits next",
    argo: "before 4.0.1 with a database: wakes nothing, because it looks for a workflow with the name of the node",
    call: () => {
      const { table, lock } = lockBench();
      table.request("n/a", CREATED, { ...lock, nodeId: "a-1" });
      table.request("n/b", CREATED, { ...lock, nodeId: "b-2" });
      table.grantAndAnswer();
      table.release("n/a", "a-1");
      table.grantAndAnswer();
      return [table.answersOf("n/a")?.get("a-1")?.kind, table.answersOf("n/b")?.get("b-2")?.kind];
    },
    returns: [undefined, "held"],
  },
  {
    issues: [16771, 16745],
    behavior: "database lock: a workflow waits while the database is unreachable, and gets its lock afterwards",
    argo: "the workflow fails, and after a long outage every other one until the controller is restarted",
    async call() {
      const { open, table, clock, ask, until } = databaseBench();
      const answer = () => table.answersOf("n/a")?.get("")?.kind;
      const answers = [];
      open.isReachable = false;
      for (const attempt of [() => ask("n/a"), () => clock.advance(10_000)]) {
        const nextTimer = clock.nextTimer();
        attempt();
        await nextTimer;
        answers.push(answer());
      }
      open.isReachable = true;
      clock.advance(10_000);
      await until(() => answer() === "held");
      return answers;
    },
    returns: ["temporaryError", "temporaryError"],
  },
  {
    issues: [16772],
    behavior: "database lock: rows of this controller that no workflow needs are deleted after a restart",
    argo: "they block the lock until somebody deletes them",
    async call() {
      const { open, locks, table, clock, ask, until } = databaseBench();
      open.holds = [{ name: "mtx/n/m", key: "n/gone" }];
      ask("n/a");
      await until(() => table.answersOf("n/a")?.get("")?.kind === "held");
      locks.sweep();
      await clock.runUntil(until(() => open.released.length > 0));
      return open.released;
    },
    returns: [{ name: "mtx/n/m", key: "n/gone" }],
  },
];
