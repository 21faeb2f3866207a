import { assertEquals } from "@std/assert";
import { isSameToPeople, undone, valueAt, withChanges, withEdit } from "./object_edits.ts";

const PARAMETER = { name: "region", value: "eu", enum: ["eu", "us"], description: "Where", default: "eu" };
const TEMPLATE = {
  metadata: { name: "t", labels: { team: "a" } },
  spec: { entrypoint: "main", arguments: { parameters: [PARAMETER, { name: "day" }] } },
};
const PARAMETERS = ["spec", "arguments", "parameters"] as const;

Deno.test("a value that is set leaves choices, description and default, and all other parameters", () => {
  const changed = withChanges(TEMPLATE, [{ path: [...PARAMETERS, { name: "region" }, "value"], value: "us" }]);
  assertEquals(changed.spec.arguments.parameters, [{ ...PARAMETER, value: "us" }, { name: "day" }]);
  assertEquals(Object.keys(changed.spec), Object.keys(TEMPLATE.spec));
  assertEquals(TEMPLATE.spec.arguments.parameters[0], PARAMETER);
});

Deno.test("what is not there yet is added, and what is taken away leaves no empty map", () => {
  const added = withChanges(TEMPLATE, [
    { path: ["spec", "workflowMetadata", "labels", "team"], value: "b" },
    { path: ["metadata", "labels", "team"], value: undefined },
    { path: [...PARAMETERS, { name: "new" }, "value"], value: "1" },
    { path: [...PARAMETERS, { name: "day" }], value: undefined },
  ]);
  assertEquals(valueAt(added, ["spec", "workflowMetadata"]), { labels: { team: "b" } });
  assertEquals(added.metadata, { name: "t" } as typeof added.metadata);
  assertEquals(valueAt(added, [...PARAMETERS, { name: "new" }, "value"]), "1");
  assertEquals(valueAt(added, [...PARAMETERS, { name: "day" }]), undefined);
});

Deno.test("an edit takes the place of those at its place, and within it", () => {
  const first = [
    { path: ["a", { name: "x" }, "value"] as const, value: 1 },
    { path: ["b"] as const, value: 2 },
  ];
  assertEquals(
    withEdit({ a: [{ name: "x" }] }, first, { path: ["a", { name: "x" }], value: undefined }).map(({ value }) => value),
    [
      2,
      undefined,
    ],
  );
});

Deno.test("withEdit() keeps nothing that the object says anyway, but what stands within something that was changed", () => {
  const value = [...PARAMETERS, { name: "region" }, "value"] as const;
  const typed = withEdit(TEMPLATE, [], { path: value, value: "us" });
  assertEquals(typed.length, 1);
  assertEquals(withEdit(TEMPLATE, typed, { path: value, value: "eu" }), []);
  assertEquals(withEdit(TEMPLATE, [], { path: [...PARAMETERS, { name: "none" }], value: undefined }), []);
  const anew = [{ path: [...PARAMETERS, { name: "region" }] as const, value: { name: "region" } }];
  assertEquals(withEdit(TEMPLATE, anew, { path: value, value: "eu" }), [...anew, { path: value, value: "eu" }]);
});

Deno.test("undone() puts the former state back, and nothing where somebody changed it since", () => {
  const stored = (image: string, version: string, more: object = {}) => ({
    metadata: { name: "t", resourceVersion: version, labels: { a: "1" }, ...more },
    spec: { image },
    status: { version },
  });
  const [former, saved] = [stored("old", "1"), stored("new", "2", { labels: { a: "2" } })];
  // The controller wrote its status meanwhile.
  const now = stored("new", "3", { labels: { a: "2" } });
  assertEquals(isSameToPeople(saved, now), true);
  assertEquals(undone(former, saved, now), {
    ...now,
    spec: { image: "old" },
    metadata: { ...now.metadata, labels: { a: "1" } },
  });
  assertEquals(undone(former, saved, stored("theirs", "3", { labels: { a: "2" } })), undefined);
});
