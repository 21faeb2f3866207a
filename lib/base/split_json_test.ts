import { assert, assertEquals } from "@std/assert";
import { joinJson, type SplitJson, splitJson } from "./split_json.ts";
import { atOnce, type Stages } from "./turns.ts";

/** A part has about 64 KiB. */
const MAX_PART = 70_000;

/** Completes the stages. Returns the result and their number. */
function completed<T>(stages: Stages<T>): { readonly value: T; readonly count: number } {
  for (let count = 1;; count++) {
    const { done, value } = stages.next();
    if (done) return { value, count };
  }
}

function lengthsOf(split: SplitJson): number[] {
  if ("text" in split) return [split.text.length];
  return split.parts.flatMap((part) => typeof part === "string" ? [part.length] : lengthsOf(part.value));
}

/** A list in as many lists, each with some items before and after it. */
function nested(depth: number): unknown {
  let value: unknown = ["x".repeat(100_000)];
  for (let level = 0; level < depth; level++) value = ["a".repeat(10_000), value, { "b": "c".repeat(10_000) }];
  return value;
}

const VALUES: Readonly<Record<string, unknown>> = {
  "text": "x",
  "null": null,
  "empty list": [],
  "empty object": {},
  "small": { a: [1, "b", null, true, { c: {} }], z: undefined },
  "long text": { a: "x".repeat(200_000), b: 1 },
  "many numbers": Array.from({ length: 100_000 }, (_, index) => index),
  "many objects": {
    spec: { templates: Array.from({ length: 5000 }, (_, index) => ({ name: `${index}`, a: { b: [{}] } })) },
  },
  "many fields": Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, [index]])),
  "nested": { a: nested(40), b: { c: nested(3) } },
  "large items of lists": [nested(1), 1, nested(1), [nested(2)]],
  "names of prototypes": JSON.parse(`{"__proto__":{"a":1},"b":{"__proto__":"${"x".repeat(70_000)}","constructor":1}}`),
};

for (const [name, value] of Object.entries(VALUES)) {
  Deno.test(`split JSON: ${name}: the same value after it was split and joined`, () => {
    const split = atOnce(splitJson(value));
    assertEquals(JSON.stringify(completed(joinJson(structuredClone(split))).value), JSON.stringify(value));
  });
}

Deno.test("split JSON: a small value is one text", () => {
  assertEquals(atOnce(splitJson(VALUES.small)), { text: JSON.stringify(VALUES.small) });
});

Deno.test("split JSON: parts are small, and there are no more than needed", () => {
  for (const name of ["many numbers", "many objects", "many fields", "nested"]) {
    const value = VALUES[name];
    const characters = JSON.stringify(value).length;
    const split = atOnce(splitJson(value));
    const large = lengthsOf(split).filter((length) => length > MAX_PART);
    assertEquals(large, name === "nested" ? [100_004, 100_004] : [], name);
    const stages = completed(joinJson(split)).count;
    assert(stages >= characters / MAX_PART && stages < characters / 5000, `${name}: ${stages}`);
  }
});
