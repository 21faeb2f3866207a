import { assertEquals } from "@std/assert";
import { addEdit, applyEdits, isSameToUsers, undoChange, valueAt } from "./object_edits.ts";

const PARAMETER = { name: "region", value: "eu", enum: ["eu", "us"], description: "Where", default: "eu" };
const TEMPLATE = {
  metadata: { name: "t", labels: { team: "a" } },
  spec: { entrypoint: "main", arguments: { parameters: [PARAMETER, { name: "day" }] } },
};
const PARAMETERS = ["spec", "arguments", "parameters"] as const;

Deno.test("applyEdits: keeps choices, description and default of a parameter, and all other parameters", () => {
  const changed = applyEdits(TEMPLATE, [{ path: [...PARAMETERS, { name: "region" }, "value"], value: "us" }]);
  assertEquals(changed.spec.arguments.parameters, [{ ...PARAMETER, value: "us" }, { name: "day" }]);
  assertEquals(Object.keys(changed.spec), Object.keys(TEMPLATE.spec));
  assertEquals(TEMPLATE.spec.arguments.parameters[0], PARAMETER);
});

Deno.test("applyEdits: adds missing fields, and leaves no empty map after a removal", () => {
  const added = applyEdits(TEMPLATE, [
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

Deno.test("addEdit: replaces edits at the same path and below", () => {
  const first = [
    { path: ["a", { name: "x" }, "value"] as const, value: 1 },
    { path: ["b"] as const, value: 2 },
  ];
  assertEquals(
    addEdit({ a: [{ name: "x" }] }, first, { path: ["a", { name: "x" }], value: undefined }).map(({ value }) => value),
    [
      2,
      undefined,
    ],
  );
});

Deno.test("addEdit: drops values that the object already has, except below an edited field", () => {
  const value = [...PARAMETERS, { name: "region" }, "value"] as const;
  const typed = addEdit(TEMPLATE, [], { path: value, value: "us" });
  assertEquals(typed.length, 1);
  assertEquals(addEdit(TEMPLATE, typed, { path: value, value: "eu" }), []);
  assertEquals(addEdit(TEMPLATE, [], { path: [...PARAMETERS, { name: "none" }], value: undefined }), []);
  const anew = [{ path: [...PARAMETERS, { name: "region" }] as const, value: { name: "region" } }];
  assertEquals(addEdit(TEMPLATE, anew, { path: value, value: "eu" }), [...anew, { path: value, value: "eu" }]);
});

Deno.test("undoChange: restores the former state, and returns undefined if somebody changed it since", () => {
  const stored = (image: string, version: string, more: object = {}) => ({
    metadata: { name: "t", resourceVersion: version, labels: { a: "1" }, ...more },
    spec: { image },
    status: { version },
  });
  const [former, saved] = [stored("old", "1"), stored("new", "2", { labels: { a: "2" } })];
  // The controller updated the status in the meantime.
  const now = stored("new", "3", { labels: { a: "2" } });
  assertEquals(isSameToUsers(saved, now), true);
  assertEquals(undoChange(former, saved, now), {
    ...now,
    spec: { image: "old" },
    metadata: { ...now.metadata, labels: { a: "1" } },
  });
  assertEquals(undoChange(former, saved, stored("theirs", "3", { labels: { a: "2" } })), undefined);
});
