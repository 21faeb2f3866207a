/**
 * Our CLI as the suite's runner calls it. The runner recognizes the effect of a retry by another `finishedAt`, which has whole
 * seconds: on an idle machine a retry ends in the second in which the workflow had failed. So a retry waits for the next one.
 */
import { runCli } from "../../cli/program.ts";
import { realWorld } from "../../cli/real_world.ts";
import { pause, systemClock } from "@tiphys/base/clock";

if (import.meta.main) {
  if (Deno.args.includes("retry")) await pause(systemClock, 1000);
  Deno.exit(await runCli(Deno.args, realWorld));
}
