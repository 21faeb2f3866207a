import { assertEquals, assertThrows } from "@std/assert";
import { UserError } from "@tiphys/base/user_error";
import { parseLockItem, parseLockItems } from "./lock_item.ts";
import { holderKey, parseHolderKey, parseLockKey } from "./lock_key.ts";
import { parseLimit } from "./limit.ts";
import { parseRecordedHolds, type RecordedLocks } from "./recorded_holds.ts";

Deno.test("parseLockItems() returns semaphores before mutexes, in the namespace of each lock or else of the workflow", () => {
  const items = parseLockItems({
    mutexes: [{ name: "m" }, { name: "d", database: true, namespace: "other" }],
    semaphores: [{ configMapKeyRef: { name: "map", key: "k" }, namespace: "shared" }, { database: { key: "d" } }],
  }, "n");
  assertEquals(items.map(({ type, key }) => `${type} ${key}`), [
    "semaphore shared/ConfigMap/map/k",
    "semaphore n/Database/d",
    "mutex n/Mutex/m",
    "mutex other/Database/d",
  ]);
});

const REFUSED: readonly [string, Parameters<typeof parseLockItems>[0], string][] = [
  [
    "the same lock twice",
    { mutexes: [{ name: "m" }, { name: "m", namespace: "n" }] },
    "requested configuration is invalid: duplicate synchronization item found",
  ],
  [
    "a semaphore of two sources",
    { semaphores: [{ configMapKeyRef: { name: "a", key: "b" }, database: { key: "c" } }] },
    "invalid semaphore with both ConfigMapKeyRef and Database",
  ],
  [
    "a semaphore without a source",
    { semaphores: [{}] },
    "cannot get LockName for a Semaphore without a ConfigMapRef or Database",
  ],
  ["a mutex without a name", { mutexes: [{}] }, "Invalid lock key: "],
  ["a key with a slash", { semaphores: [{ configMapKeyRef: { name: "a", key: "b/c" } }] }, "Invalid lock key: "],
  [
    "more than can be looked after",
    { mutexes: Array.from({ length: 101 }, (_, index) => ({ name: `m${index}` })) },
    "100 locks",
  ],
];

for (const [what, block, message] of REFUSED) {
  Deno.test(`parseLockItems() rejects ${what}`, () => {
    assertThrows(() => parseLockItems(block, "n"), UserError, message);
  });
}

Deno.test("lockIdOf() distinguishes a mutex and a semaphore of a database with the same key", () => {
  const items = parseLockItems(
    { semaphores: [{ database: { key: "d" } }], mutexes: [{ name: "d", database: true }] },
    "n",
  );
  assertEquals(items.map(({ key }) => key), ["n/Database/d", "n/Database/d"]);
});

for (
  const text of [
    "",
    "n",
    "n/Mutex",
    "/Mutex/m",
    "n/Mutex/",
    "n/Map/x",
    "n/ConfigMap/x",
    "n/ConfigMap/x/",
    "n/ConfigMap/x/y/z",
  ]
) {
  Deno.test(`parseLockKey() rejects ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseLockKey(text), UserError, "Invalid lock key: ");
  });
}

Deno.test("parseLockItem() rejects the key of a mutex for a semaphore", () => {
  assertThrows(() => parseLockItem("semaphore", "n/Mutex/m"), UserError, "Invalid lock key: ");
});

Deno.test("parseHolderKey() parses the key of a workflow or node, and returns undefined for older formats", () => {
  assertEquals([holderKey("n/w", ""), holderKey("n/w", "w-1")], ["n/w", "n/w/w-1"]);
  assertEquals(parseHolderKey("n/w/w-1"), { workflow: "n/w", nodeId: "w-1" });
  assertEquals(parseHolderKey("n/w"), { workflow: "n/w", nodeId: "" });
  assertEquals([parseHolderKey("w"), parseHolderKey("a/b/c/d"), parseHolderKey("")], [undefined, undefined, undefined]);
});

Deno.test("parseLimit() accepts integers from 0", () => {
  assertEquals(["0", "12", "+3"].map(parseLimit), [{ limit: 0 }, { limit: 12 }, { limit: 3 }]);
  for (const text of ["", "x", "1.5", "-1", " 1", "1e3"]) assertEquals("problem" in parseLimit(text), true, text);
});

function recorded(fields: Partial<RecordedLocks>): RecordedLocks {
  return {
    metadata: { namespace: "n", name: "w" },
    synchronization: [],
    recorded: {},
    isNode: (id) => id === "w-1",
    ...fields,
  };
}

Deno.test("parseRecordedHolds() ignores entries without holders, which Argo leaves behind (SY-41)", () => {
  const { holds, unreadable } = parseRecordedHolds(recorded({
    recorded: {
      semaphore: { holding: [{ semaphore: "n/ConfigMap/m/k", holders: [] }, { semaphore: "n/ConfigMap/m/j" }] },
      mutex: { holding: [{ mutex: "n/Mutex/m" }], waiting: [{ mutex: "n/Mutex/x", holder: "n/other" }] },
    },
  }));
  assertEquals([holds, unreadable], [[], []]);
});

Deno.test("parseRecordedHolds() groups the locks of a holder, and ignores those of other workflows", () => {
  const { holds } = parseRecordedHolds(recorded({
    recorded: {
      semaphore: { holding: [{ semaphore: "n/ConfigMap/m/k", holders: ["n/w/w-1", "n/w/w-2", "n/other"] }] },
      mutex: { holding: [{ mutex: "n/Mutex/m", holder: "n/w/w-1" }, { mutex: "n/Mutex/o", holder: "n/w" }] },
    },
  }));
  assertEquals(holds.map(({ nodeId, locks }) => [nodeId, ...locks.map(({ key }) => key)]), [
    ["w-1", "n/ConfigMap/m/k", "n/Mutex/m"],
    ["w-2", "n/ConfigMap/m/k"],
    ["", "n/Mutex/o"],
  ]);
});

Deno.test("parseRecordedHolds() resolves bare names by where the lock is declared (SY-2)", () => {
  const status = { mutex: { holding: [{ mutex: "n/Mutex/m", holder: "w" }, { mutex: "n/Mutex/t", holder: "w-1" }] } };
  const declared = parseRecordedHolds(recorded({ synchronization: [{ mutexes: [{ name: "m" }] }], recorded: status }));
  assertEquals(declared.holds.map(({ nodeId }) => nodeId), ["", "w-1"]);
  const undeclared = parseRecordedHolds(recorded({ recorded: status }));
  assertEquals(undeclared.holds.map(({ nodeId }) => nodeId), ["w", "w-1"]);
});

Deno.test("parseRecordedHolds() reports unreadable records, with the lock if it is known (SY-52)", () => {
  const { holds, unreadable } = parseRecordedHolds(recorded({
    recorded: { mutex: { holding: [{ mutex: "garbage", holder: "n/w" }, { mutex: "n/Mutex/m", holder: "nobody" }] } },
  }));
  assertEquals(holds, []);
  assertEquals(unreadable.map(({ item }) => item?.key), [undefined, "n/Mutex/m"]);
});
