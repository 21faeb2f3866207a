import { assertEquals } from "@std/assert";
import { missingFields } from "./missing_fields.ts";
import { kindOpenAPI } from "./open_api.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const text = { type: "string" };
const OPEN = { "x-kubernetes-preserve-unknown-fields": true };

for (
  const [subject, wanted, found, expected] of [
    ["a field that is missing", object({ a: text, b: text }), object({ a: text }), ["b"]],
    ["a field of a missing object", object({ a: object({ b: text }) }), object({}), ["a"]],
    [
      "a field in items of a list",
      object({ a: { items: object({ b: text }) } }),
      object({ a: { items: object({}) } }),
      [
        "a[].b",
      ],
    ],
    [
      "a field in values of a map",
      object({ a: { additionalProperties: object({ b: text }) } }),
      object({ a: { additionalProperties: object({}) } }),
      ["a.*.b"],
    ],
    ["a field of an open object", object({ a: object({ b: text }) }), object({ a: { type: "object", ...OPEN } }), []],
    ["a named field of an open object", object({ a: text, b: text }), object({ a: text }, OPEN), []],
    ["a schema that is not there", object({ a: text }), undefined, ["a"]],
  ] as const
) {
  Deno.test(`missingFields: ${subject}`, () => assertEquals(missingFields(wanted, found), [...expected]));
}

Deno.test("missingFields: Argo's dialect of a report lacks only the measures of artifacts", () => {
  assertEquals(missingFields(kindOpenAPI("WorkflowTaskResult", "whole"), kindOpenAPI("WorkflowTaskResult", "argo")), [
    "outputs.artifacts[].digest",
    "outputs.artifacts[].size",
    "outputs.artifacts[].objects",
  ]);
});
