/** What the controller does with workflows that are over. */
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

function isNotFound(error: unknown): boolean {
  return sortError(error) === "notFound";
}
