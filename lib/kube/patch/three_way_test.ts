import { assertEquals } from "@std/assert";
import { applyMergePatch } from "./merge.ts";
import { createThreeWayPatch, type ThreeWay } from "./three_way.ts";

function applied(ways: Omit<ThreeWay, "type">, type: ThreeWay["type"] = "Pod"): unknown {
  return applyMergePatch(ways.current, createThreeWayPatch({ ...ways, type }) ?? {});
}

Deno.test("createThreeWayPatch(): sets the new fields and keeps changes by others", () => {
  const current = { data: { a: "1", other: "x" }, status: { ready: true } };
  assertEquals(applied({ original: undefined, modified: { data: { a: "2" } }, current }, "Object"), {
    data: { a: "2", other: "x" },
    status: { ready: true },
  });
});

Deno.test("createThreeWayPatch(): removes fields that are no longer applied", () => {
  const ways = {
    original: { data: { a: "1", b: "2" }, immutable: false },
    modified: { data: { a: "1" } },
    current: { data: { a: "1", b: "2", c: "3" }, immutable: false },
  };
  assertEquals(applied(ways, "Object"), { data: { a: "1", c: "3" } });
});

Deno.test("createThreeWayPatch(): returns undefined when nothing changes, whatever defaults the server set", () => {
  const modified = { spec: { containers: [{ name: "main", image: "a" }] } };
  const current = { spec: { containers: [{ name: "main", image: "a", imagePullPolicy: "Always" }], dnsPolicy: "x" } };
  assertEquals(createThreeWayPatch({ original: modified, modified, current, type: "Pod" }), undefined);
});

Deno.test("createThreeWayPatch(): merges keyed lists by item, and removes missing items and fields", () => {
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

Deno.test("createThreeWayPatch(): keeps the finalizers of others, and replaces lists without a key", () => {
  const ways = {
    original: { metadata: { finalizers: ["mine", "old"] }, args: ["a"] },
    modified: { metadata: { finalizers: ["mine"] }, args: ["b"] },
    current: { metadata: { finalizers: ["mine", "old", "theirs"] }, args: ["a", "c"] },
  };
  assertEquals(applied(ways), { metadata: { finalizers: ["mine", "theirs"] }, args: ["b"] });
});

Deno.test("createThreeWayPatch(): removes a label with a name of Object.prototype", () => {
  const object = { metadata: { labels: JSON.parse('{"constructor": "x", "other": "y"}') } };
  const modified = { metadata: { labels: { other: "y" } } };
  const patch = createThreeWayPatch({ original: object, modified, current: object, type: "Any" });
  assertEquals(JSON.stringify(patch), '{"metadata":{"labels":{"constructor":null}}}');
});
