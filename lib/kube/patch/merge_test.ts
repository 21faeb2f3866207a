import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { applyMergePatch, createMergePatch, sameJson } from "./merge.ts";
import { PatchWork, PatchWorkError } from "./patch_work.ts";

Deno.test("applyMergePatch(): merges objects, removes nulls and replaces other values", () => {
  const target = { a: { b: 1, c: 2 }, list: [1, 2], gone: true };
  assertEquals<unknown>(applyMergePatch(target, { a: { b: null, d: 3 }, list: [3], gone: null }), {
    a: { c: 2, d: 3 },
    list: [3],
  });
});

Deno.test("applyMergePatch(): removes nulls of a patch at any depth", () => {
  assertEquals<unknown>(applyMergePatch({}, { a: { b: null, c: { d: null } } }), { a: { c: {} } });
});

Deno.test("applyMergePatch(): treats a field named __proto__ as data", () => {
  const patched = applyMergePatch<Record<string, unknown>>({}, JSON.parse(`{"__proto__": {"polluted": true}}`));
  assertEquals((patched as { polluted?: boolean }).polluted, undefined);
  assert(Object.hasOwn(patched, "__proto__"));
});

Deno.test("applyMergePatch(): a limit includes the fields of the target and of the patch", () => {
  const large = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]));
  for (const [target, patch] of [[{ a: large }, { a: { b: 1 } }], [{}, { a: large }]] as const) {
    assertThrows(() => applyMergePatch<unknown>(target, patch, new PatchWork(200_000)), PatchWorkError);
    applyMergePatch<unknown>(target, patch, new PatchWork(300_000));
  }
});

Deno.test("createMergePatch(): contains only the differences", () => {
  const from = { status: { phase: "Running", nodes: { a: { phase: "Running" }, b: { phase: "Succeeded" } } } };
  const to = { status: { phase: "Running", nodes: { a: { phase: "Succeeded" }, b: { phase: "Succeeded" }, c: {} } } };
  assertEquals(createMergePatch(from, to), { status: { nodes: { a: { phase: "Succeeded" }, c: {} } } });
});

Deno.test("createMergePatch(): removes and adds fields that have names of Object.prototype", () => {
  for (const name of ["constructor", "toString", "__proto__"]) {
    const labels = JSON.parse(`{"${name}": "x", "other": "y"}`);
    const removed = createMergePatch({ labels }, { labels: { other: "y" } });
    assertEquals(JSON.stringify(removed), `{"labels":{"${name}":null}}`);
    const added = createMergePatch({ labels: { other: "y" } }, { labels });
    assertEquals(JSON.stringify(added), `{"labels":{"${name}":"x"}}`);
    const object = JSON.parse(`{"${name}": {"a": 1}}`);
    assertEquals(JSON.stringify(createMergePatch({}, object)), `{"${name}":{"a":1}}`);
  }
});

Deno.test("createMergePatch(): returns undefined for equal values", () => {
  assertEquals(createMergePatch({ a: [1, { b: 2 }], c: undefined }, { a: [1, { b: 2 }] }), undefined);
});

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

Deno.test("createMergePatch(): the patch turns one object into the other", () => {
  const object = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), json);
  fc.assert(fc.property(object, object, (from, to) => {
    const patch = createMergePatch(from, to);
    return sameJson(patch === undefined ? from : applyMergePatch(from, patch), to);
  }));
});
