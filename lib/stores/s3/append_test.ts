import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import { sourceOf } from "../../artifacts/testing/contract/bench.ts";
import { retrying, retryPolicyOf } from "@tiphys/artifacts/transfer";
import { type Answer, driverOn, errorXml, scriptedNet } from "./testing/scripted_net.ts";

const stop = new AbortController().signal;
const AT: Place = { store: "s3", key: "log", settings: {} };
const MIB = 1024 * 1024;
const ETAG = "0cc175b9c0f1b6a831c399e269772661";
const THERE = { size: 5 * MIB, etag: `"${ETAG}"` };

/** A store with one object. `copy` and `complete` override the usual responses to those requests. */
function storeOf({ copy, complete }: { copy?: () => Answer | undefined; complete?: () => Answer | undefined }) {
  return scriptedNet(({ line, headers }) => {
    if (line.startsWith("HEAD")) return { headers: { etag: THERE.etag } };
    if (line.includes("?uploads=")) return { body: "<UploadId>u</UploadId>" };
    if (headers["x-amz-copy-source"]) return copy?.() ?? { body: `<ETag>"${ETAG}"</ETag>` };
    if (line.startsWith("POST")) return complete?.() ?? { body: `<ETag>${ETAG}-2</ETag>` };
    if (line.startsWith("DELETE")) return { status: 404, body: errorXml("NoSuchUpload") };
    return { headers: { etag: THERE.etag } };
  });
}

async function added(driver: Driver) {
  return await driver.append!(AT, THERE, { content: sourceOf("more"), sha256: "0".repeat(64) }, stop);
}

Deno.test("append: compares etags as in headers, even if the store's XML omits the quotes", async () => {
  for (const text of [`${ETAG}-2`, `"${ETAG}-2"`, `&quot;${ETAG}-2&quot;`]) {
    const driver = await driverOn(storeOf({ complete: () => ({ body: `<ETag>${text}</ETag>` }) }));
    assertEquals((await added(driver)).etag, `"${ETAG}-2"`);
  }
});

Deno.test("append: a rejected copy with a success status is an error with the store's message", async () => {
  const net = storeOf({ copy: () => ({ body: errorXml("AccessDenied") }) });
  const error = await assertRejects(async () => await added(await driverOn(net)), StoreError);
  assertEquals(error.kind, "forbidden");
  assertStringIncludes(error.message, "AccessDenied: words");
  assertStringIncludes(net.sent.at(-1)!.line, "DELETE");
});

Deno.test("append: retries when the store is busy with the copy or with completing the upload", async () => {
  for (const busy of ["copy", "complete"]) {
    let asked = 0;
    const net = storeOf({ [busy]: () => asked++ === 0 ? { body: errorXml("SlowDown") } : undefined });
    const clock = fakeClock();
    const policy = retryPolicyOf(() => undefined);
    const driver = await driverOn(net, undefined, {
      retry: (stop, act) => retrying({ policy, clock, stop, log: () => {}, random: () => 0 }, act),
    });
    assertEquals((await clock.runUntil(added(driver))).size, THERE.size + 4);
    assertEquals(asked, 2);
  }
});
