import { assertEquals } from "@std/assert";
import { lookOfRun } from "./phase.ts";

Deno.test("a run of a list that waits only is suspended while it runs, and is what it is when it is over", () => {
  const look = (phase: string, waitsOnly?: boolean) =>
    lookOfRun({ spec: {}, status: { phase, ...(waitsOnly ? { waitsOnly } : {}) } }).word;
  assertEquals([look("Running", true), look("Running"), look("Failed", true)], ["Suspended", "Running", "Failed"]);
});
