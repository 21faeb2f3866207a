import { assertEquals } from "@std/assert";
import { contentTypeOf } from "./content_type.ts";
import { sourceOf } from "./testing/surroundings.ts";
import { driverOn, scriptedNet } from "../stores/s3/testing/scripted_net.ts";

const TYPES: readonly (readonly [key: string, type: string])[] = [
  ["w/report.html", "text/html"],
  ["w/main.log", "text/plain"],
  ["w/out.tgz", "application/gzip"],
  ["w/data.json", "application/json"],
  ["w/none", "application/octet-stream"],
  ["w.html/none", "application/octet-stream"],
];

Deno.test("contentTypeOf: returns the type of the key's extension, and binary data by default", () => {
  assertEquals(TYPES.map(([key]) => contentTypeOf(key)), TYPES.map(([, type]) => type));
});

Deno.test("stores: receive the media type of written content", async () => {
  const net = scriptedNet(() => ({ headers: { etag: '"x"' } }));
  const driver = await driverOn(net);
  const stop = new AbortController().signal;
  for (const [key] of TYPES) await driver.write({ store: "s3", key, settings: {} }, sourceOf("x"), stop);
  assertEquals(net.sent.map(({ headers }) => headers["content-type"]), TYPES.map(([, type]) => type));
});
