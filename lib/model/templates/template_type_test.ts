import { assert, assertEquals } from "@std/assert";
import type { Template } from "../api/mod.ts";
import { NODE_ROLES } from "../api/node_types.ts";
import { isLoop } from "./calls.ts";
import { isPodType, isRunBy, templateType, templateTypes, typeTitle } from "./template_type.ts";
import { TEMPLATE_TYPES } from "../api/template_types.ts";
import { workContainers } from "./work_containers.ts";

Deno.test("templateType: returns the first declared type", () => {
  assertEquals(templateTypes({ script: { source: "" }, dag: { tasks: [] } }), ["dag", "script"]);
  assertEquals(templateType({ suspend: {} }), "suspend");
  const empty: Template = { name: "empty" };
  assertEquals(templateType(empty), undefined);
  assertEquals([isPodType("data"), isPodType("suspend"), isPodType(undefined)], [true, false, false]);
  assertEquals(typeTitle("dag"), "DAG");
});

Deno.test("isRunBy: a type is run by one part of the system, which determines the role of its nodes", () => {
  const runners = Object.values(TEMPLATE_TYPES).map(({ runner, node }) => [runner, NODE_ROLES[node]]);
  assertEquals(
    [...new Map(runners as [string, string][])],
    [
      ["containers", "pod"],
      ["calls", "calls"],
      ["executor", "pod"],
      ["controller", "controller"],
      ["agent", "agent"],
    ],
  );
  assert(isRunBy("dag", "calls", "agent"));
  assertEquals([isRunBy("dag", "agent"), isRunBy(undefined, "calls")], [false, false]);
});

Deno.test("workContainers: returns the containers of the user with their paths", () => {
  const members = [{ name: "a", image: "x" }, { name: "main", image: "y" }];
  assertEquals(workContainers({ containerSet: { containers: members } }).map(({ path }) => path), [
    ["containerSet", "containers", 0],
    ["containerSet", "containers", 1],
  ]);
  assertEquals(workContainers({ resource: { action: "get" } }), []);
});

Deno.test("isLoop: is true for an empty list of items, and false for an empty text", () => {
  const loops = [{}, { withItems: [] }, { withItems: [1] }, { withParam: "[]" }, { withSequence: { count: "0" } }];
  assertEquals(loops.map(isLoop), [false, true, true, true, true]);
  assertEquals(isLoop({ withParam: "" }), false);
});
