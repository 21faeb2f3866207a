/** Shapes of objects and the schemas of their CustomResourceDefinitions. The text of a shape is `[SCHEMA, OBJECT]`. */
import { fields, many, pair } from "./patch_shapes.ts";
import type { Shape } from "./shapes.ts";

const properties = (all: Record<string, unknown>) => ({ type: "object", properties: all });
const map = (values: unknown) => ({ type: "object", additionalProperties: values });

/** Shapes of objects of defined kinds, by the part that grows. */
export const DEFINED_SHAPES: Readonly<Record<string, Shape>> = {
  "defaults": pair((count) => [properties(fields(count, () => ({ default: 1 }))), {}]),
  "defaults of items": pair((count) => [
    { type: "array", items: properties({ a: { default: {} }, b: { default: [] } }) },
    many(count, () => ({})),
  ]),
  "values of an enum": pair((
    count,
  ) => [map({ enum: many(count, (index) => `v${index}`) }), fields(count, (index) => `v${index}`)]),
  "values that an enum lacks": pair((
    count,
  ) => [map({ enum: many(count, (index) => `v${index}`) }), fields(count, () => "w")]),
  "values that a long enum lacks": pair((count) => [map({ enum: ["v".repeat(10 * count)] }), fields(count, () => "w")]),
  "wrong types": pair((count) => [map({ type: "string" }), fields(count, () => 1)]),
  "wrong types below a long name": pair((count) => [map(map({ type: "string" })), {
    ["n".repeat(10 * count)]: fields(count, () => 1),
  }]),
  "missing fields": pair((count) => [{ type: "object", required: many(count, (index) => `v${index}`) }, {}]),
  "lists that are too long": pair((count) => [map({ type: "array", maxItems: 0 }), fields(count, () => [1])]),
};
