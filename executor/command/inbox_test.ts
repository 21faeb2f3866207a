import { assertEquals } from "@std/assert";
import { openInbox } from "./inbox.ts";
import { sendSignal } from "./signals.ts";
import { PLAIN_FILES } from "../pod/shared_files.ts";
import { containerFolder } from "../world.ts";
import { testWorld } from "../testing/world.ts";

Deno.test("openInbox() keeps a signal that came while the command was being started, and hands it on once", async () => {
  await using world = await testWorld();
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  await using inbox = openInbox(world, "main");
  assertEquals(inbox.isAskedToEnd, false);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  inbox.ended.addEventListener("abort", () => resolve());
  sendSignal(world, "main", 15);
  await ended;
  assertEquals(inbox.isAskedToEnd, true);
  const received: string[] = [];
  inbox.deliverTo((signal) => received.push(signal));
  inbox.deliverTo((signal) => received.push(signal));
  assertEquals(received, ["SIGTERM"]);
});
