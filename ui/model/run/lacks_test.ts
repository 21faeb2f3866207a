import { assertEquals } from "@std/assert";
import { lackLines, lackText, lackTexts } from "./lacks.ts";

const patch = { verb: "patch", group: "argoproj.io", resource: "workflows" };
const pods = { verb: "delete", group: "", resource: "pods" };
const lacks = { stop: [patch], terminate: [patch], retry: [patch, pods], suspend: [] };

Deno.test("lackText: names the missing rights as roles do", () => {
  assertEquals(lackText(lacks, "stop"), "You lack the right to patch workflows.argoproj.io");
  assertEquals(
    lackText(lacks, "retry"),
    "You lack the right to patch workflows.argoproj.io and to delete pods",
  );
  assertEquals([lackText(lacks, "suspend"), lackText(lacks, "delete")], [undefined, undefined]);
});

Deno.test("lackLines: groups actions with the same missing rights, and omits actions that are not offered", () => {
  const offered = { suspend: "Suspend", stop: "Stop", terminate: "Terminate", delete: "Delete" };
  assertEquals(lackLines(lackTexts(lacks, offered)), [
    "Stop, Terminate: you lack the right to patch workflows.argoproj.io.",
  ]);
});
