import { assertEquals } from "@std/assert";
import { lookOfRun } from "./phase.ts";

Deno.test("lookOfRun: a run that only waits is shown as suspended while it runs, and by its phase once finished", () => {
  const look = (phase: string, waitsOnly?: boolean) =>
    lookOfRun({ spec: {}, status: { phase, ...(waitsOnly ? { waitsOnly } : {}) } }).word;
  assertEquals([look("Running", true), look("Running"), look("Failed", true)], ["Suspended", "Running", "Failed"]);
});
