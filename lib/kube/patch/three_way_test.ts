import { assertEquals } from "@std/assert";
import { applyMergePatch } from "./merge.ts";
import { createThreeWayPatch, type ThreeWay } from "./three_way.ts";

function applied(ways: Omit<ThreeWay, "type">, type: ThreeWay["type"] = "Pod"): unknown {
  return applyMergePatch(ways.current, createThreeWayPatch({ ...ways, type }) ?? {});
}

Deno.test("createThreeWayPatch() sets what is asked for, and keeps what others wrote", () => {
  const current = { data: { a: "1", other: "x" }, status: { ready: true } };
  assertEquals(applied({ original: undefined, modified: { data: { a: "2" } }, current }, "Object"), {
    data: { a: "2", other: "x" },
    status: { ready: true },
  });
});

Deno.test("createThreeWayPatch() takes away what was asked for before and is not any more", () => {
  const ways = {
    original: { data: { a: "1", b: "2" }, immutable: false },
    modified: { data: { a: "1" } },
    current: { data: { a: "1", b: "2", c: "3" }, immutable: false },
  };
  assertEquals(applied(ways, "Object"), { data: { a: "1", c: "3" } });
});

Deno.test("createThreeWayPatch() is undefined when nothing changes, whatever the server filled in", () => {
  const modified = { spec: { containers: [{ name: "main", image: "a" }] } };
  const current = { spec: { containers: [{ name: "main", image: "a", imagePullPolicy: "Always" }], dnsPolicy: "x" } };
  assertEquals(createThreeWayPatch({ original: modified, modified, current, type: "Pod" }), undefined);
});

Deno.test("createThreeWayPatch() merges keyed lists item by item, and removes items and fields that are gone", () => {
  const ways = {
    original: { spec: { containers: [{ name: "a", image: "1", tty: true }, { name: "b" }] } },
    modified: { spec: { containers: [{ name: "new" }, { name: "a", image: "2" }] } },
    current: {
      spec: {
        containers: [{ name: "a", image: "1", tty: true, filled: 1 }, { name: "b" }, { name: "injected" }],
      },
    },
  };
  assertEquals(applied(ways), {
    spec: { containers: [{ name: "new" }, { name: "a", image: "2", filled: 1 }, { name: "injected" }] },
  });
});

Deno.test("createThreeWayPatch() keeps the finalizers of others, and replaces lists that have no key", () => {
  const ways = {
    original: { metadata: { finalizers: ["mine", "old"] }, args: ["a"] },
    modified: { metadata: { finalizers: ["mine"] }, args: ["b"] },
    current: { metadata: { finalizers: ["mine", "old", "theirs"] }, args: ["a", "c"] },
  };
  assertEquals(applied(ways), { metadata: { finalizers: ["mine", "theirs"] }, args: ["b"] });
});

Deno.test("createThreeWayPatch() takes away a label that is called like something every object has", () => {
  const object = { metadata: { labels: JSON.parse('{"constructor": "x", "other": "y"}') } };
  const modified = { metadata: { labels: { other: "y" } } };
  const patch = createThreeWayPatch({ original: object, modified, current: object, type: "Any" });
  assertEquals(JSON.stringify(patch), '{"metadata":{"labels":{"constructor":null}}}');
});
