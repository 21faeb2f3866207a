import { assertEquals } from "@std/assert";
import { missingRightsLines, missingRightsText, missingRightsTexts } from "./missing_rights.ts";

const patch = { verb: "patch", group: "argoproj.io", resource: "workflows" };
const pods = { verb: "delete", group: "", resource: "pods" };
const lacks = { stop: [patch], terminate: [patch], retry: [patch, pods], suspend: [] };

Deno.test("missingRightsText: names the missing rights as roles do", () => {
  assertEquals(missingRightsText(lacks, "stop"), "You lack the right to patch workflows.argoproj.io");
  assertEquals(
    missingRightsText(lacks, "retry"),
    "You lack the right to patch workflows.argoproj.io and to delete pods",
  );
  assertEquals([missingRightsText(lacks, "suspend"), missingRightsText(lacks, "delete")], [undefined, undefined]);
});

Deno.test("missingRightsLines: groups actions with the same missing rights, and omits actions that are not offered", () => {
  const offered = { suspend: "Suspend", stop: "Stop", terminate: "Terminate", delete: "Delete" };
  assertEquals(missingRightsLines(missingRightsTexts(lacks, offered)), [
    "Stop, Terminate: you lack the right to patch workflows.argoproj.io.",
  ]);
});
