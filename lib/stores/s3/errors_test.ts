import { assertEquals, assertStringIncludes } from "@std/assert";
import { driverOn, errorXml, scriptedNet } from "./testing/scripted_net.ts";
import { at, failureOf, read, stop } from "./testing/s3_bench.ts";

for (
  const [code, status, kind] of [
    ["NoSuchKey", 404, "missing"],
    ["NoSuchBucket", 404, "bucket"],
    ["AccessDenied", 403, "forbidden"],
    ["SlowDown", 503, "transient"],
    ["SlowDownRead", 400, "transient"],
    ["InternalError", 500, "transient"],
    ["RequestTimeout", 400, "transient"],
    ["OperationAborted", 409, "transient"],
    ["ThrottlingException", 400, "transient"],
    ["InvalidArgument", 400, "final"],
    ["NoSuchLifecycleConfiguration", 404, "final"],
    ["PreconditionFailed", 412, "changed"],
    ["", 520, "transient"],
    ["", 499, "transient"],
    ["", 501, "final"],
  ] as const
) {
  Deno.test(`${code || "an empty body"} with status ${status} is ${kind}`, async () => {
    const net = scriptedNet(() => ({ status, body: code && errorXml(code) }));
    const error = await failureOf(async () => await read(await driverOn(net)));
    assertEquals([error.kind, net.sent.length], [kind, 1]);
  });
}

Deno.test("s3: a rejection without information about the key names the required permission (AR-33)", async () => {
  const net = scriptedNet(() => ({ status: 403, body: errorXml("AccessDenied") }));
  const error = await failureOf(async () => await (await driverOn(net)).find(at("k"), stop));
  assertEquals(error.kind, "forbidden");
  assertStringIncludes(error.message, "without the right s3:ListBucket");
});
