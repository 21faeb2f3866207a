/**
 * Our CLI as the suite's runner calls it. The runner detects a retry by a changed `finishedAt`, which has whole
 * seconds. On an idle machine, a retry ends in the same second in which the workflow failed, so a retry waits for the
 * next second.
 */
import { runCli } from "../../cli/program.ts";
import { realWorld } from "../../cli/real_world.ts";
import { pause, systemClock } from "@tiphys/base/clock";

if (import.meta.main) {
  if (Deno.args.includes("retry")) await pause(systemClock, 1000);
  Deno.exit(await runCli(Deno.args, realWorld));
}
