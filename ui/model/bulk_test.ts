/** Actions on many runs. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "../../lib/api/mod.ts";
import { meantBy, summaryOf } from "./bulk.ts";

function run(uid: string, phase: string, spec = {}): Workflow {
  return { metadata: { name: uid, uid }, spec, status: { phase } } as unknown as Workflow;
}

const RUNS = [run("f", "Failed"), run("r", "Running"), run("h", "Running", { suspend: true }), run("s", "Succeeded")];

Deno.test("an action means only the runs that it can do something to", () => {
  const names = (verb: Parameters<typeof meantBy>[0]) => meantBy(verb, RUNS).map(({ metadata }) => metadata.name);
  assertEquals(names("retry"), ["f"]);
  assertEquals(names("suspend"), ["r"]);
  assertEquals(names("stop"), ["r", "h"]);
  assertEquals(names("delete"), ["f", "r", "h", "s"]);
});

Deno.test("runs that were refused stay selected, with the server's words", () => {
  const [f, r] = RUNS as [Workflow, Workflow];
  const summary = summaryOf("stop", [{ run: f, refusal: "not allowed" }, { run: r }]);
  assertEquals([summary.text, [...summary.stillSelected]], ["Stopped 1; 1 refused", ["f"]]);
});
