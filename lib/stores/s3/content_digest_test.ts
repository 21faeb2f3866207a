import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { NetError } from "@tiphys/base/net";
import { sourceOf } from "../../artifacts/testing/contract/bench.ts";
import { driverOn, scriptedNet, STATIC } from "./testing/scripted_net.ts";
import { at, bytes, failureOf, lines, read, stop, uploads } from "./testing/s3_bench.ts";

Deno.test("s3: a file with another checksum than the store's is a transient error with both checksums", async () => {
  const net = scriptedNet(() => ({ body: "x", headers: { "x-amz-checksum-crc32": "AAAAAA==" } }));
  const error = await failureOf(async () => await read(await driverOn(net)));
  assertEquals(error.kind, "transient");
  assertStringIncludes(error.message, "AAAAAA==");
  assertStringIncludes(error.message, "jNwWgw=="); // The CRC-32 of "x".
});

const SHA_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Deno.test("s3: an object written in one request stores its SHA-256, and a multipart one returns it to the writer", async () => {
  const net = scriptedNet(({ line }) =>
    line.includes("?uploads=")
      ? { body: "<UploadId>u</UploadId>" }
      : line.startsWith("POST")
      ? { body: "<ETag>e</ETag>" }
      : { headers: { etag: "e" } }
  );
  const driver = await driverOn(net);
  const said = () => net.sent.map(({ headers }) => headers["x-amz-meta-tiphys-sha256"]);
  assertEquals((await driver.write(at("k"), sourceOf("abc"), stop)).sha256, SHA_OF_ABC);
  assertEquals((await driver.write(at("k"), ReadableStream.from([bytes("ab"), bytes("c")]), stop)).sha256, SHA_OF_ABC);
  assertEquals(said(), [SHA_OF_ABC, SHA_OF_ABC]);
  net.sent.length = 0;
  const long = "0123456789";
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(long))).toHex();
  assertEquals((await driver.write(at("k"), sourceOf(long), stop)).sha256, sum);
  assertEquals((await driver.write(at("k"), ReadableStream.from([bytes(long)]), stop)).sha256, sum);
  assertEquals(said().filter((digest) => digest !== undefined), []);
});

Deno.test("s3: content that differs from the object's own SHA-256 is an error if the store has no checksum", async () => {
  const answering = (headers: Record<string, string>) => driverOn(scriptedNet(() => ({ body: "abc", headers })));
  const digest = { "x-amz-meta-tiphys-sha256": SHA_OF_ABC };
  assertEquals(new TextDecoder().decode(await read(await answering(digest))), "abc");
  const wrong = { "x-amz-meta-tiphys-sha256": "0".repeat(64), "x-amz-checksum-crc32": "AAAAAA==-2" };
  const error = await failureOf(async () => await read(await answering(wrong)));
  assertEquals(error.kind, "transient");
  assertStringIncludes(error.message, `the checksum (SHA-256) is ${SHA_OF_ABC}, expected 000`);
});

/** A store with an object at every key, with these headers. It accepts all writes. */
function storeWith(head: () => { status?: number; headers?: Readonly<Record<string, string>> }) {
  return uploads({
    head: () => {
      const { status, headers } = head();
      return { status, headers };
    },
  });
}

const asked = { skipsExisting: true };

/** The CRC32 of "0123456789": 0xa684c7c6. */
const CRC_OF_DIGITS = "poTHxg==";

/** The headers of a HEAD of "abc", as we write it. */
const HEAD_OF_ABC = {
  etag: '"e"',
  "content-length": "3",
  "content-type": "application/octet-stream",
  "x-amz-meta-tiphys-sha256": SHA_OF_ABC,
};

Deno.test("s3: existing content is not sent again, according to its own digest (AN-03)", async () => {
  const net = storeWith(() => ({ headers: HEAD_OF_ABC }));
  const driver = await driverOn(net);
  for (const content of [sourceOf("abc"), ReadableStream.from([bytes("ab"), bytes("c")])]) {
    assertEquals(await driver.write(at("k"), content, stop, asked), {
      kind: "file",
      size: 3,
      etag: '"e"',
      sha256: SHA_OF_ABC,
      hasExisted: true,
    });
  }
  assertEquals(lines(net.sent), ["HEAD /b/k", "HEAD /b/k"]);
  net.sent.length = 0;
  await driver.write(at("k"), sourceOf("abc"), stop);
  assertEquals(lines(net.sent), ["PUT /b/k"]);
});

Deno.test("s3: a multipart object stores its digest if existing content is checked, and is not sent again (AN-03)", async () => {
  const long = "0123456789";
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(long))).toHex();
  let head: { status?: number; headers?: Record<string, string> } = { status: 404 };
  const net = storeWith(() => head);
  const driver = await driverOn(net);
  const written = await driver.write(at("k"), sourceOf(long), stop, asked);
  assertEquals([written.sha256, written.hasExisted], [sum, undefined]);
  assertEquals(net.sent.map(({ line, headers }) => [line.split(" ")[0], headers["x-amz-meta-tiphys-sha256"]]), [
    ["HEAD", undefined],
    ["POST", sum],
    ["PUT", undefined],
    ["PUT", undefined],
    ["PUT", undefined],
    ["POST", undefined],
  ]);
  assertEquals(net.sent[1]?.headers["x-amz-meta-tiphys-crc32"], CRC_OF_DIGITS);
  head = { headers: { ...HEAD_OF_ABC, "content-length": "10", "x-amz-meta-tiphys-sha256": sum } };
  net.sent.length = 0;
  assertEquals((await driver.write(at("k"), sourceOf(long), stop, asked)).hasExisted, true);
  assertEquals(lines(net.sent), ["HEAD /b/k"]);
});

for (
  const [what, headers] of [
    ["of another digest", { "x-amz-meta-tiphys-sha256": "0".repeat(64) }],
    ["of another size", { "content-length": "4" }],
    ["without a digest of ours", { "x-amz-meta-tiphys-sha256": undefined }],
    ["of another media type", { "content-type": "text/html" }],
    ["with an expiration rule", { "x-amz-expiration": 'expiry-date="Fri, 02 Jan 2026 00:00:00 GMT", rule-id="r"' }],
    ["in an archive class", { "x-amz-storage-class": "GLACIER" }],
  ] as const
) {
  Deno.test(`s3: an object ${what} is written again`, async () => {
    const said = Object.entries({ ...HEAD_OF_ABC, ...headers }).flatMap(([name, value]) =>
      value ? [[name, value]] : []
    );
    const net = storeWith(() => ({ headers: Object.fromEntries(said) }));
    const written = await (await driverOn(net)).write(at("k"), sourceOf("abc"), stop, asked);
    assertEquals([written.sha256, written.hasExisted], [SHA_OF_ABC, undefined]);
    assertEquals(lines(net.sent), ["HEAD /b/k", "PUT /b/k"]);
  });
}

Deno.test("s3: an object with other encryption than requested is written again", async () => {
  const options = (more: Record<string, string>) => ({
    ...STATIC,
    encryptionOptions: { enableEncryption: true, ...more },
  });
  const written = async (settings: Record<string, unknown>, headers: Record<string, string>) => {
    const net = storeWith(() => ({ headers: { ...HEAD_OF_ABC, ...headers } }));
    await (await driverOn(net, settings)).write(at("k"), sourceOf("abc"), stop, asked);
    return net.sent.some(({ line }) => line.startsWith("PUT"));
  };
  const kms = { "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": "k1" };
  assertEquals(await written(options({}), {}), true);
  assertEquals(await written(options({}), { "x-amz-server-side-encryption": "AES256" }), false);
  assertEquals(await written(options({ kmsKeyId: "k1" }), kms), false);
  assertEquals(await written(options({ kmsKeyId: "k2" }), kms), true);
  // No response contains the encryption context.
  assertEquals(await written(options({ kmsKeyId: "k1", kmsEncryptionContext: '{"a":"b"}' }), kms), true);
});

Deno.test("s3: a store that cannot report existing content is written to, and gets no further such request after a refusal", async () => {
  const refusing = storeWith(() => ({ status: 403 }));
  const driver = await driverOn(refusing);
  for (let times = 0; times < 2; times++) await driver.write(at("k"), sourceOf("abc"), stop, asked);
  assertEquals(lines(refusing.sent), ["HEAD /b/k", "PUT /b/k", "PUT /b/k"]);
  const lost = scriptedNet(({ line }) => line.startsWith("HEAD") ? new NetError("reset", true) : {});
  await (await driverOn(lost)).write(at("k"), sourceOf("abc"), stop, asked);
  assertEquals(lines(lost.sent), ["HEAD /b/k", "PUT /b/k"]);
});

Deno.test("s3: a file that changes between its digest and its upload is an error, and the upload is aborted", async () => {
  let text = "0123456789";
  const changing = { size: 10, open: (from: number, to: number) => sourceOf(text).open(from, to) };
  const net = uploads({
    head: () => {
      text = "abcdefghij";
      return { status: 404 };
    },
  });
  const driver = await driverOn(net);
  const error = await assertRejects(() => driver.write(at("k"), changing, stop, asked), Error);
  assertStringIncludes(error.message, "k was changed while it was saved");
  assertEquals(lines(net.sent).some((line) => /^DELETE .*uploadId/.test(line)), true);
});

Deno.test("s3: multipart content is verified with the CRC-32 that its writer stored", async () => {
  const headers = {
    "content-length": "10",
    "x-amz-checksum-crc32": "AAAAAA==-3",
    "x-amz-meta-tiphys-sha256": "0".repeat(64),
    "x-amz-meta-tiphys-crc32": CRC_OF_DIGITS,
  };
  const answering = (body: string) => driverOn(scriptedNet(() => ({ body, headers })));
  assertEquals(new TextDecoder().decode(await read(await answering("0123456789"))), "0123456789");
  const error = await failureOf(async () => await read(await answering("012345678x")));
  assertStringIncludes(error.message, `expected ${CRC_OF_DIGITS}`);
  const found = await (await answering("")).find(at("k"), stop);
  assertEquals([found.sha256, found.crc32], ["0".repeat(64), CRC_OF_DIGITS]);
});
