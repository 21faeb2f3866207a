import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { NetError } from "@tiphys/base/net";
import type { DriverEnvironment } from "@tiphys/model/artifact";
import { sourceOf } from "../../artifacts/testing/contract/bench.ts";
import { isRetryable, RetriesExhaustedError, retrying, retryPolicyOf } from "@tiphys/artifacts/transfer";
import { driverOn, errorXml, type ScriptedNet } from "./testing/scripted_net.ts";
import { at, failureOf, stop, uploads } from "./testing/s3_bench.ts";

Deno.test("s3: a file larger than a part is uploaded in parts, each with its checksum", async () => {
  const net = uploads({});
  const driver = await driverOn(net);
  const { kind, size, etag } = await driver.write(at("k"), sourceOf("aaaabbbbc"), stop);
  assertEquals({ kind, size, etag }, { kind: "file", size: 9, etag: "e" });
  const parts = net.sent.filter(({ line }) => /partNumber/.test(line));
  assertEquals(parts.map(({ body }) => body).sort(), ["aaaa", "bbbb", "c"]);
  assert(parts.every(({ headers }) => /^[A-Za-z0-9+/]{6}==$/.test(headers["x-amz-checksum-crc32"] ?? "")));
  const complete = net.sent.at(-1)!.body;
  assertEquals([...complete.matchAll(/<PartNumber>(\d)/g)].map(([, number]) => number), ["1", "2", "3"]);
});

/** A driver that retries parts with Argo's policy, with a fake clock. */
function retryingDriver(net: ScriptedNet, env: Readonly<Record<string, string>> = {}) {
  const clock = fakeClock();
  const policy = retryPolicyOf((name) => env[name]);
  const again: DriverEnvironment["retry"] = (stop, act) =>
    retrying({ policy, clock, stop, log: () => {}, random: () => 0 }, act);
  return { clock, driver: driverOn(net, undefined, { retry: again }) };
}

Deno.test("s3: an interrupted part is sent again with increasing delays, other parts are not", async () => {
  const times: number[] = [];
  const net: ScriptedNet = uploads({
    put: ({ line }) => {
      if (!/partNumber=2&/.test(line)) return undefined;
      times.push(clock.elapsed);
      return times.length < 5 ? new NetError("reset", true) : undefined;
    },
  });
  const { clock, driver } = retryingDriver(net);
  await clock.runUntil((await driver).write(at("k"), sourceOf("aaaabbbbc"), stop));
  assertEquals(times.map(Math.round), [0, 1000, 2600, 5160, 9256]);
  assertEquals(net.sent.filter(({ line }) => /partNumber=[13]&/.test(line)).length, 2);
});

Deno.test("s3: a part that fails five times ends the upload, which is aborted and not started again", async () => {
  const net = uploads({ put: ({ line }) => /partNumber=2&/.test(line) ? { status: 503 } : undefined });
  const { clock, driver } = retryingDriver(net);
  const work = (await driver).write(at("k"), sourceOf("aaaabbbbc"), stop);
  const error = await clock.runUntil(work).then(() => undefined, (error: unknown) => error);
  assert(error instanceof RetriesExhaustedError);
  assertStringIncludes(error.message, "part 2 of k failed: 503 Service Unavailable (gave up after 5 tries in 9 s)");
  assertEquals(await isRetryable(error), false);
  assertEquals(net.sent.at(-1)!.line, "DELETE /b/k?uploadId=u1");
});

Deno.test("s3: a part rejected with a message of the operator's pattern is sent again", async () => {
  let refused = 0;
  const net = uploads({
    put: () => refused++ === 0 ? { status: 403, body: errorXml("QuotaOfToday") } : undefined,
  });
  const { clock, driver } = retryingDriver(net, { TRANSIENT_ERROR_PATTERN: "QuotaOf.*" });
  assertEquals((await clock.runUntil((await driver).write(at("k"), sourceOf("aaaabbbbc"), stop))).size, 9);
});

Deno.test("s3: completing an upload is retried if the store is busy, without sending parts again", async () => {
  let asked = 0;
  const net = uploads({ complete: () => asked++ === 0 ? { body: errorXml("SlowDown") } : undefined });
  const { clock, driver } = retryingDriver(net);
  await clock.runUntil((await driver).write(at("k"), sourceOf("aaaabbbbc"), stop));
  assertEquals(net.sent.filter(({ line }) => /partNumber=/.test(line)).length, 3);
});

Deno.test("s3: a rejected part ends the upload, which is aborted", async () => {
  const refusing = uploads({ put: () => ({ status: 403, body: errorXml("AccessDenied") }) });
  const error = await failureOf(async () =>
    await (await driverOn(refusing)).write(at("k"), sourceOf("aaaabbbbc"), stop)
  );
  assertEquals(error.kind, "forbidden");
  assertEquals(refusing.sent.at(-1)!.line, "DELETE /b/k?uploadId=u1");
});

Deno.test("s3: an upload that is stopped is aborted", async () => {
  const cut = new AbortController();
  const net = uploads({ put: () => (cut.abort(new Error("the pod ends")), { headers: { etag: '"e"' } }) });
  await assertRejects(
    async () => await (await driverOn(net)).write(at("k"), sourceOf("aaaabbbbc"), cut.signal),
    Error,
    "the pod ends",
  );
  assertEquals(net.sent.at(-1)!.line, "DELETE /b/k?uploadId=u1");
});

Deno.test("s3: an upload is aborted until the store no longer lists it", async () => {
  const net = uploads({ put: () => ({ status: 403, body: errorXml("AccessDenied") }), lingers: 3 });
  await failureOf(async () => await (await driverOn(net)).write(at("k"), sourceOf("aaaabbbbc"), stop));
  assertEquals(net.sent.filter(({ line }) => line === "DELETE /b/k?uploadId=u1").length, 4);
});

Deno.test("s3: an upload that an unanswered part may bring back is aborted again after it is gone", async () => {
  const net = uploads({ put: () => new NetError("reset", true) });
  await failureOf(async () => await (await driverOn(net)).write(at("k"), sourceOf("aaaabbbbc"), stop));
  assertEquals(net.sent.filter(({ line }) => line === "DELETE /b/k?uploadId=u1").length, 4);
});

Deno.test("s3: the object itself shows whether it exists if the last response is lost or an error", async () => {
  // The MD5 of the MD5s of two parts "a".
  const { createHash } = await import("node:crypto");
  const part = "0cc175b9c0f1b6a831c399e269772661";
  const etag = `"${createHash("md5").update(part + part, "hex").digest("hex")}-2"`;
  for (
    const complete of [
      () => new NetError("no answer", true),
      () => ({ body: errorXml("InternalError") }),
      () => ({ status: 404, body: errorXml("NoSuchUpload") }),
    ]
  ) {
    const there = uploads({ complete, head: () => ({ headers: { etag, "content-length": "8" } }) });
    assertEquals((await (await driverOn(there)).write(at("k"), sourceOf("aaaabbbb"), stop)).etag, etag);
    const other = uploads({ complete, head: () => ({ headers: { etag: '"other"', "content-length": "8" } }) });
    await failureOf(async () => await (await driverOn(other)).write(at("k"), sourceOf("aaaabbbb"), stop));
    assertEquals(other.sent.at(-1)!.line, "DELETE /b/k?uploadId=u1");
  }
});
