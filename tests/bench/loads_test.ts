import { assertEquals, assertThrows } from "@std/assert";
import { ALL_LOADS, cronsOf, finishedOf, loadName, parseLoad, QUICK_LOADS, workflowsOf } from "./loads.ts";
import { parseCronWorkflow, parseWorkflow } from "@tiphys/model/api";
import { validateWorkflow } from "@tiphys/language/validate";

Deno.test("parseLoad(): parses the output of loadName()", () => {
  for (const load of [...ALL_LOADS, ...QUICK_LOADS]) assertEquals(parseLoad(loadName(load)), load);
});

Deno.test("parseLoad(): an unknown kind is an error that lists the known ones", () => {
  assertThrows(
    () => parseLoad("ladder:10"),
    Error,
    "one of chain, drain, fan-out, dag, finished, kept, crons, semaphore, lock",
  );
  assertThrows(() => parseLoad("chain"), Error, "KIND:SIZE");
});

Deno.test("finishedOf() and cronsOf(): create objects that the API server accepts", () => {
  const [finished] = finishedOf({ kind: "finished", size: 1 }, "bench");
  const [kept] = finishedOf({ kind: "kept", size: 1 }, "bench");
  const [cron] = cronsOf({ kind: "crons", size: 1 }, "bench");
  assertEquals(parseWorkflow(kept!, "strict").ok, true);
  assertEquals([parseWorkflow(finished!, "strict").ok, parseCronWorkflow(cron!, "strict").ok], [true, true]);
});

Deno.test("workflowsOf(): creates workflows that any controller accepts", () => {
  for (const load of QUICK_LOADS) {
    for (const workflow of workflowsOf(load, "bench")) {
      const parsed = parseWorkflow(workflow, "strict");
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
      const nothing = () => undefined;
      const known = { workflowTemplate: nothing, clusterWorkflowTemplate: nothing, configMap: nothing };
      assertEquals(validateWorkflow(parsed.value, known), []);
    }
  }
});
