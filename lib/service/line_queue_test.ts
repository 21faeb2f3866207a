import { assertEquals } from "@std/assert";
import { LineQueue } from "./line_queue.ts";

Deno.test("LineQueue: a writer of long lines waits until the reader has read them", async () => {
  const queue = new LineQueue<{ readonly line: string }>();
  const batch = [{ line: "x".repeat(1 << 20) }];
  const events: string[] = [];
  for (let count = 0; count < 7; count++) await queue.push(batch);
  const full = queue.push(batch).then(() => events.push("room"));
  await Promise.resolve();
  const reader = queue[Symbol.asyncIterator]();
  for (let count = 0; count < 8; count++) {
    assertEquals((await reader.next()).value, batch);
    events.push("read");
  }
  const next = reader.next();
  await full;
  assertEquals(events, [...Array(8).fill("read"), "room"]);
  await queue.push(batch);
  assertEquals((await next).value, batch);
});
