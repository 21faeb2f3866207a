/** Shapes of patches, each with the object that it changes. The text of a shape is `[OBJECT, PATCH]` as JSON. */
import type { Shape } from "./shapes.ts";

type Make = (count: number) => readonly [object: unknown, patch: unknown];

/** The shape of a pair: searches the count at which its text has the size. All parts are about equally long. */
export function pair(make: Make): Shape {
  const text = (count: number) => JSON.stringify(make(count));
  const sample = 50;
  const each = (text(2 * sample).length - text(sample).length) / sample;
  return (size) => text(Math.max(1, Math.round(size / each)));
}

export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** An object of `count` fields. */
export function fields(count: number, make: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(many(count, (index) => [`k${index}`, make(index)]));
}

function nestLevels(levels: number, inner: unknown): unknown {
  return levels === 0 ? inner : { a: nestLevels(levels - 1, inner) };
}

/** A long list or object, and one operation for each of its items. */
function operations(object: (count: number) => unknown, make: (index: number) => unknown): Shape {
  return pair((count) => [object(count), many(count, make)]);
}

const list = (count: number) => ({ a: many(count, (index) => index) });
const object = (count: number) => ({ a: fields(count, (index) => index) });
const DEEP = nestLevels(150, []);
const DEEP_PATH = "/a".repeat(150);

/** Shapes of JSON patches. */
export const JSON_PATCH_SHAPES: Readonly<Record<string, Shape>> = {
  "insertions before a long list": operations(list, () => ({ op: "add", path: "/a/0", value: 1 })),
  "insertions after a long list": operations(list, () => ({ op: "add", path: "/a/-", value: 1 })),
  "removals of the first item": operations(list, () => ({ op: "remove", path: "/a/0" })),
  "moves from the end to the front": operations(
    (count) => list(2 * count),
    (index) => ({ op: "move", from: `/a/${index}`, path: "/a/0" }),
  ),
  "replacements": operations(list, (index) => ({ op: "replace", path: `/a/${index}`, value: 0 })),
  "new fields": operations(object, (index) => ({ op: "add", path: `/a/n${index}`, value: 1 })),
  "removals of fields": operations(object, (index) => ({ op: "remove", path: `/a/k${index}` })),
  "copies of a list into itself": operations(list, () => ({ op: "copy", from: "/a", path: "/a/-" })),
  "copies of a long text": operations(
    (count) => ({ a: "x".repeat(count), b: [] }),
    () => ({ op: "copy", from: "/a", path: "/b/-" }),
  ),
  "tests of a large object": pair((count) => {
    const large = object(count);
    return [large, many(20, () => ({ op: "test", path: "", value: large }))];
  }),
  "deep paths": operations(() => DEEP, () => ({ op: "add", path: `${DEEP_PATH}/-`, value: 1 })),
  "one path of many steps": pair((count) => [{}, [{ op: "add", path: "/a".repeat(count), value: 1 }]]),
  "one path of escapes": pair((count) => [{}, [{ op: "add", path: `/${"~1~0".repeat(count)}`, value: 1 }]]),
  "operations without an op": operations(list, () => ({})),
};

/** Shapes of merge patches. */
export const MERGE_PATCH_SHAPES: Readonly<Record<string, Shape>> = {
  "changed fields": pair((count) => [object(count), { a: fields(count, () => "new") }]),
  "new fields": pair((count) => [{}, fields(count, (index) => index)]),
  "removed fields": pair((count) => [object(count), { a: fields(count, () => null) }]),
  "objects in place of texts": pair((count) => [object(count), { a: fields(count, () => ({ a: {} })) }]),
  "fields in deep objects": pair((count) => [nestLevels(150, object(count)), nestLevels(150, object(count))]),
  "many deep objects": pair((count) => [fields(count, () => DEEP), fields(count, () => DEEP)]),
  "long lists": pair((count) => [list(count), list(count)]),
};

const container = (env: readonly unknown[]) => ({ spec: { containers: [{ name: "main", env }] } });
const named = (count: number, prefix = "n") => many(count, (index) => ({ name: `${prefix}${index}`, value: "1" }));

/** Shapes of strategic merge patches of pods. */
export const STRATEGIC_PATCH_SHAPES: Readonly<Record<string, Shape>> = {
  "items of a list, changed": pair((count) => [container(named(count)), container(named(count))]),
  "items of a list, added": pair((count) => [container(named(count)), container(named(count, "m"))]),
  "items of a list, deleted": pair((count) => [
    container(named(count)),
    container(named(count).map(({ name }) => ({ name, $patch: "delete" }))),
  ]),
  "items with one name": pair((count) => [container(named(1)), container(many(count, () => ({ name: "n0" })))]),
  "items with one name on both sides": pair((count) => {
    const same = container(many(count, () => ({ name: "n0" })));
    return [same, same];
  }),
  "one wide item, many times": pair((count) => [
    { spec: { volumes: [{ name: "v", ...fields(count, (index) => index) }] } },
    { spec: { volumes: many(count, () => ({ name: "v" })) } },
  ]),
  "items with long names": pair((count) => [
    container(many(20, (index) => ({ name: `${"n".repeat(count)}${index}` }))),
    container(many(20, (index) => ({ name: `${"n".repeat(count)}${19 - index}` }))),
  ]),
  "items in reverse order": pair((count) => [container(named(count)), container(named(count).reverse())]),
  "an order of many items": pair((count) => [container(named(count)), {
    spec: { containers: [{ name: "main", env: [], "$setElementOrder/env": named(count).reverse() }] },
  }]),
  "an order of other items than the patch has": pair((count) => [container([]), {
    spec: { containers: [{ name: "main", env: named(count), "$setElementOrder/env": named(count, "m") }] },
  }]),
  "fields that are retained": pair((count) => [
    { spec: fields(count, (index) => index) },
    { spec: { ...fields(count, (index) => index), $retainKeys: many(count, (index) => `k${index}`) } },
  ]),
  "finalizers that are removed": pair((count) => [
    { metadata: { finalizers: many(count, (index) => `f${index}`) } },
    { metadata: { "$deleteFromPrimitiveList/finalizers": many(count, (index) => `f${index}`) } },
  ]),
  "lists that only directives name": pair((count) => [{}, {
    spec: Object.fromEntries(many(count, (index) => [`$setElementOrder/k${index}`, []])),
  }]),
};
