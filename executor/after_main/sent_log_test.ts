import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import type { Handle } from "@tiphys/base/confined";
import { testWorld } from "../testing/world.ts";
import { SentLog } from "./sent_log.ts";

Deno.test("SentLog.finish: returns undefined for a log that is too large to append to, without reading it", async () => {
  await using world = await testWorld();
  const gib = 1024 ** 3;
  const fields = [{ name: "main-logs" }, 6 * gib, "etag", createHash("sha256"), {
    store: "s3",
    key: "k",
    settings: {},
  }];
  const sent: SentLog = Reflect.construct(SentLog, fields);
  // Reading it would fail, because the file does not exist.
  const held = { path: "/none", info: () => ({ size: 7 * gib }) } as unknown as Handle;
  assertEquals(await sent.finish(world, held, new AbortController().signal), undefined);
});
