/** When workflows begin and when they go. */
import { assertEquals } from "@std/assert";
import { sortError } from "../../lib/kube/mod.ts";
import { ControllerWorld, sleeper } from "./world.ts";

Deno.test("a workflow whose time is over goes, and its pod with it", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleeper("brief", "  ttlStrategy: {secondsAfterSuccess: 0, secondsAfterFailure: 600}"));
  await world.submit(sleeper("kept", "  ttlStrategy: {secondsAfterSuccess: 0, secondsAfterFailure: 600}"));
  await world.podRuns("brief");
  await world.podRuns("kept");
  await world.podEnds("kept", { main: { exitCode: 1 } });
  await world.ended("kept");
  await world.report((await world.pod("brief"))!, true);
  await world.podEnds("brief");
  await world.podGone("brief");
  await world.until("the workflow is gone", () => world.workflow("brief").then(() => false, isNotFound));
  assertEquals((await world.workflow("kept")).status?.phase, "Failed");
});

Deno.test("a workflow waits while as many are at work as may be, says so, and starts when one is over", async () => {
  await using world = new ControllerWorld();
  await world.startController({ limits: () => ({ parallelism: 1 }) });
  await world.submit(sleeper("first"));
  const pod = await world.podRuns("first");
  await world.submit(sleeper("second"));
  await world.until("it is postponed", async () => (await world.workflow("second")).status?.phase === "Pending");
  const { message } = (await world.workflow("second")).status!;
  assertEquals(message, "Workflow processing has been postponed because too many workflows are already running");
  assertEquals(await world.pod("second"), undefined);
  await world.report(pod, true);
  await world.podEnds("first");
  await world.podMade("second");
  assertEquals((await world.workflow("second")).status?.message, undefined);
});

function isNotFound(error: unknown): boolean {
  return sortError(error) === "notFound";
}
