import { assertEquals } from "@std/assert";
import { openInbox } from "./inbox.ts";
import { needs } from "../../lib/base/testing/needs.ts";
import { outputOf } from "../../scripts/command.ts";
import { sendSignal } from "./signals.ts";
import { PLAIN_FILES } from "../pod/shared_files.ts";
import { containerFolder } from "../world.ts";
import { AS_FIRST, canBeFirst } from "../testing/first_process.ts";
import { testWorld } from "../testing/world.ts";

Deno.test("openInbox: a signal during the start of the command is delivered to it once", async () => {
  await using world = await testWorld();
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  await using inbox = openInbox(world, "main");
  assertEquals(inbox.isTerminating, false);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  inbox.ended.addEventListener("abort", () => resolve());
  sendSignal(world, "main", 15);
  await ended;
  assertEquals(inbox.isTerminating, true);
  const received: string[] = [];
  inbox.deliverTo((signal) => received.push(signal));
  inbox.deliverTo((signal) => received.push(signal));
  assertEquals(received, ["SIGTERM"]);
});

Deno.test("openInbox: SIGPIPE stays ignored after closing", async () => {
  const program = `
    import { openInbox } from ${JSON.stringify(import.meta.resolve("./inbox.ts"))};
    import { PLAIN_FILES } from ${JSON.stringify(import.meta.resolve("../pod/shared_files.ts"))};
    import { containerFolder } from ${JSON.stringify(import.meta.resolve("../world.ts"))};
    import { testWorld } from ${JSON.stringify(import.meta.resolve("../testing/world.ts"))};
    await using world = await testWorld();
    PLAIN_FILES.makeFolder(containerFolder(world, "main"));
    for (let count = 0; count < 2; count++) await openInbox(world, "main")[Symbol.asyncDispose]();
    const heard = Promise.withResolvers();
    Deno.addSignalListener("SIGUSR1", heard.resolve);
    Deno.kill(Deno.pid, "SIGPIPE");
    Deno.kill(Deno.pid, "SIGUSR1");
    await heard.promise;
    console.log("alive");
    Deno.exit(0);`;
  assertEquals(await outputOf([Deno.execPath(), "eval", "--no-check", program]), "alive\n");
});

Deno.test({
  ...needs("a namespace of processes", await canBeFirst(), "openInbox: a signal after closing does not end PID 1"),
  async fn() {
    const program = `
      import { openInbox } from ${JSON.stringify(import.meta.resolve("./inbox.ts"))};
      import { PLAIN_FILES } from ${JSON.stringify(import.meta.resolve("../pod/shared_files.ts"))};
      import { containerFolder } from ${JSON.stringify(import.meta.resolve("../world.ts"))};
      import { testWorld } from ${JSON.stringify(import.meta.resolve("../testing/world.ts"))};
      await using world = await testWorld();
      PLAIN_FILES.makeFolder(containerFolder(world, "main"));
      await openInbox(world, "main")[Symbol.asyncDispose]();
      // Deno processes pending signals by number: after the last one, the others have been processed.
      const heard = Promise.withResolvers();
      Deno.addSignalListener("SIGWINCH", heard.resolve);
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGWINCH"]) Deno.kill(Deno.pid, signal);
      await heard.promise;
      console.log("alive");
      Deno.exit(0);`;
    assertEquals(await outputOf([...AS_FIRST, Deno.execPath(), "eval", "--no-check", program]), "alive\n");
  },
});
