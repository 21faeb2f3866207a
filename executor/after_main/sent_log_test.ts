import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import type { Held } from "../../lib/confined/mod.ts";
import { testWorld } from "../testing/world.ts";
import { SentLog } from "./sent_log.ts";

Deno.test("a log that is too large to be added to is given back before it is read", async () => {
  await using world = await testWorld();
  const gib = 1024 ** 3;
  const fields = [{ name: "main-logs" }, 6 * gib, "etag", createHash("sha256"), {
    store: "s3",
    key: "k",
    settings: {},
  }];
  const sent: SentLog = Reflect.construct(SentLog, fields);
  // It lies nowhere: to read it would be an error.
  const held = { path: "/none", info: () => ({ size: 7 * gib }) } as unknown as Held;
  assertEquals(await sent.finish(world, held, new AbortController().signal), undefined);
});
