import { assertEquals } from "@std/assert";
import { lackLines, lackText, lackTexts } from "./lacks.ts";

const patch = { verb: "patch", group: "argoproj.io", resource: "workflows" };
const pods = { verb: "delete", group: "", resource: "pods" };
const lacks = { stop: [patch], terminate: [patch], retry: [patch, pods], suspend: [] };

Deno.test("an action that somebody may not do names the rights that they lack, as a role names them", () => {
  assertEquals(lackText(lacks, "stop"), "You lack the right to patch workflows.argoproj.io");
  assertEquals(
    lackText(lacks, "retry"),
    "You lack the right to patch workflows.argoproj.io and to delete pods",
  );
  assertEquals([lackText(lacks, "suspend"), lackText(lacks, "delete")], [undefined, undefined]);
});

Deno.test("actions that lack the same are told of in one line, and those that are not offered in none", () => {
  const offered = { suspend: "Suspend", stop: "Stop", terminate: "Terminate", delete: "Delete" };
  assertEquals(lackLines(lackTexts(lacks, offered)), [
    "Stop, Terminate: you lack the right to patch workflows.argoproj.io.",
  ]);
});
