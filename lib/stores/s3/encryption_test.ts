import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sourceOf } from "../../artifacts/testing/contract/bench.ts";
import { driverOn, scriptedNet, STATIC } from "./testing/scripted_net.ts";
import { at, failureOf, read, stop } from "./testing/s3_bench.ts";

Deno.test("s3: encryption is requested by headers, only if enabled", async () => {
  const headers = async (encryptionOptions: unknown) => {
    const net = scriptedNet(() => undefined);
    await (await driverOn(net, { ...STATIC, encryptionOptions })).write(at("k"), sourceOf("x"), stop);
    return net.sent[0]?.headers ?? {};
  };
  const encrypted = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name.includes("encryption")));
  assertEquals(encrypted(await headers({ kmsKeyId: "k" })), {});
  assertEquals(encrypted(await headers({ enableEncryption: true })), { "x-amz-server-side-encryption": "AES256" });
  const context = '{ "a": "b" }';
  assertEquals(encrypted(await headers({ enableEncryption: true, kmsKeyId: "key", kmsEncryptionContext: context })), {
    "x-amz-server-side-encryption": "aws:kms",
    "x-amz-server-side-encryption-aws-kms-key-id": "key",
    "x-amz-server-side-encryption-context": btoa('{"a":"b"}'),
  });
});

Deno.test("s3: a customer's key differs per object, is the same for reads and writes, and is never sent without TLS", async () => {
  const own = { enableEncryption: true, serverSideCustomerKeySecret: { name: "s", key: "own" } };
  const net = scriptedNet(() => ({ body: "x" }));
  const driver = await driverOn(net, { ...STATIC, encryptionOptions: own });
  await driver.write(at("folder/k"), sourceOf("x"), stop);
  await driver.write(at("folder/l"), sourceOf("x"), stop);
  await read(driver, "folder/k");
  assertStringIncludes((await failureOf(() => driver.write(at("k"), sourceOf("x"), stop))).message, "8 bytes");
  const [written, other, again] = net.sent.map(({ headers }) => headers["x-amz-server-side-encryption-customer-key"]);
  assertEquals(Uint8Array.fromBase64(written ?? "").length, 32);
  assertEquals(again, written);
  assert(other !== written);
  const insecure = { ...STATIC, insecure: true, encryptionOptions: own };
  assertEquals(
    (await failureOf(() => driverOn(net, insecure))).message,
    "secure must be set if EncryptOpts.SSECPassword is set",
  );
  const both = { ...STATIC, encryptionOptions: { ...own, kmsKeyId: "k" } };
  assertEquals(
    (await failureOf(() => driverOn(net, both))).message,
    "serverSideCustomerKeySecret and kmsKeyId cannot be set together",
  );
});
