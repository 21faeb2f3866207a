/** The simulation itself: it is deterministic for a seed, and finds faults. */
import { assertEquals } from "@std/assert";
import { outputOf } from "../../scripts/command.ts";
import { readCase } from "./case.ts";
import { crashesAtEachCall } from "./crashes.ts";
import { createGivenFaults } from "./faults.ts";
import { allRegressions } from "./kept.ts";
import { judge } from "./oracles.ts";
import { runCase } from "./simulation.ts";

Deno.test("simulation: the same seed gives the same calls at the same times, in any process", async () => {
  const main = new URL("main.ts", import.meta.url).pathname;
  const command = [Deno.execPath(), "run", "-A", "--no-check", main, "--case", "diamond", "--seed", "4", "--hashes"];
  const [one, other] = await Promise.all([outputOf(command), outputOf(command)]);
  const hashOf = (output: string) => /^diamond 4 ([0-9a-f]{8}) \d+$/m.exec(output)?.[1];
  assertEquals(hashOf(one) !== undefined, true);
  assertEquals(hashOf(one), hashOf(other));
});

Deno.test("simulation: a fault occurs where the trace has it, and nowhere else", () => {
  const plan = createGivenFaults([{ at: "A1 request 3", kind: "unsent" }]);
  assertEquals([plan.at("request", "A1 request 3")?.kind, plan.at("request", "A1 request 4")], ["unsent", undefined]);
});

for (const { about, case: testCase, faults, seed } of allRegressions()) {
  Deno.test(`simulated: ${about}`, async () => {
    const faultless = await runCase({ case: testCase, seed: "faultless", faults: [] });
    assertEquals(judge(faultless), []);
    const evidence = await runCase({ case: testCase, seed, faults, faultless });
    assertEquals(evidence.trace.length > 0, true, "the faults of the trace happen");
    assertEquals(judge(evidence), []);
  });
}

for (const name of ["hello", "chain"]) {
  Deno.test(`crash: a controller may die before and after every one of its requests: ${name}`, async () => {
    let count = 0;
    for await (const { fault, problems } of crashesAtEachCall(readCase(name))) {
      assertEquals(problems, [], `${fault.kind} at ${fault.at}`);
      count++;
    }
    assertEquals(count > 40, true, `${count} crashes`);
  });
}
