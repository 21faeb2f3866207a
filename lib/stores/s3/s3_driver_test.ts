import { createHash } from "node:crypto";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { type HttpRequest, NetError } from "@tiphys/base/net";
import {
  type Driver,
  type DriverEnvironment,
  type Place,
  type StartedUploads,
  StoreError,
} from "@tiphys/model/artifact";
import { blockingContent, bytesOf, sourceOf, uploadsInMemory } from "../../artifacts/testing/contract/bench.ts";
import { isRetryable, RetriesExhaustedError, retrying, retryPolicyOf } from "@tiphys/artifacts/transfer";
import { driverOn, errorXml, type ScriptedNet, scriptedNet, type SentRequest, STATIC } from "./testing/scripted_net.ts";

const stop = new AbortController().signal;
const at = (key: string): Place => ({ store: "s3", key, settings: {} });
const read = async (driver: Driver, key = "k") => await bytesOf(await driver.read(at(key), {}, stop));
const lines = (sent: readonly SentRequest[]) => sent.map(({ line }) => line);

async function failureOf(act: () => Promise<unknown>): Promise<StoreError> {
  return await assertRejects(act, StoreError);
}

Deno.test("s3: follows a response that names another region once, with a new signature", async () => {
  for (
    const answer of [
      { status: 301, headers: { "x-amz-bucket-region": "eu-west-1" }, body: errorXml("PermanentRedirect") },
      { status: 400, body: errorXml("AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>") },
    ]
  ) {
    const net = scriptedNet((_, number) => number === 1 ? answer : { body: "x" });
    await read(await driverOn(net));
    assertEquals(net.sent.length, 2);
    assertStringIncludes(net.sent[0]?.headers.authorization ?? "", "/us-east-1/s3/");
    assertStringIncludes(net.sent[1]?.headers.authorization ?? "", "/eu-west-1/s3/");
    const endless = scriptedNet((_, number) => ({ ...answer, headers: { "x-amz-bucket-region": `r-${number}` } }));
    await failureOf(async () => await read(await driverOn(endless)));
    assertEquals(endless.sent.length, 2);
  }
});

Deno.test("s3: corrects a clock skew of 20 minutes by the store's clock, once", async () => {
  const date = new Date(Date.UTC(2026, 0, 2, 3, 24, 5)).toUTCString();
  const skewed = { status: 403, headers: { date }, body: errorXml("RequestTimeTooSkewed") };
  const net = scriptedNet((_, number) => number === 1 ? skewed : { body: "x" });
  const driver = await driverOn(net);
  await read(driver);
  await read(driver);
  assertEquals(net.sent.map(({ headers }) => headers["x-amz-date"]), [
    "20260102T030405Z",
    "20260102T032405Z",
    "20260102T032405Z",
  ]);
  const always = scriptedNet(() => skewed);
  assertEquals((await failureOf(async () => await read(await driverOn(always)))).kind, "transient");
  assertEquals(always.sent.length, 2);
});

Deno.test("s3: expired static keys are an error after one request, with the store's message", async () => {
  const net = scriptedNet(() => ({ status: 400, body: errorXml("ExpiredToken") }));
  const error = await failureOf(async () => await read(await driverOn(net)));
  assertEquals([error.kind, net.sent.length], ["forbidden", 1]);
  assertStringIncludes(error.message, "ExpiredToken");
});

Deno.test("s3: an expired temporary token is renewed once, and the request is repeated", async () => {
  let lent = 0;
  const env = (name: string) => name === "AWS_CONTAINER_CREDENTIALS_FULL_URI" ? "http://lender.example/" : undefined;
  const net = scriptedNet(({ host, headers }) => {
    if (host === "lender.example") {
      const keys = {
        AccessKeyId: `key-${++lent}`,
        SecretAccessKey: "s",
        Token: `t-${lent}`,
        Expiration: "2026-01-03T00:00:00Z",
      };
      return { body: JSON.stringify(keys) };
    }
    return headers["x-amz-security-token"] === "t-2" ? { body: "x" } : { status: 400, body: errorXml("ExpiredToken") };
  });
  const driver = await driverOn(net, {}, { env });
  await read(driver);
  await read(driver);
  assertEquals(net.sent.map(({ headers }) => headers["x-amz-security-token"]), [
    undefined,
    "t-1",
    undefined,
    "t-2",
    "t-2",
  ]);
  const never = scriptedNet(({ host }) =>
    host === "lender.example"
      ? { body: JSON.stringify({ AccessKeyId: "k", SecretAccessKey: "s", Token: "t" }) }
      : { status: 400, body: errorXml("ExpiredToken") }
  );
  const error = await failureOf(async () => await read(await driverOn(never, {}, { env })));
  assertEquals([error.kind, never.sent.length], ["forbidden", 4]);
});

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

Deno.test("s3: a file with another checksum than the store's is a transient error with both checksums", async () => {
  const net = scriptedNet(() => ({ body: "x", headers: { "x-amz-checksum-crc32": "AAAAAA==" } }));
  const error = await failureOf(async () => await read(await driverOn(net)));
  assertEquals(error.kind, "transient");
  assertStringIncludes(error.message, "AAAAAA==");
  assertStringIncludes(error.message, "jNwWgw=="); // The CRC-32 of "x".
});

/** A store that accepts multipart uploads. `put` and `complete` respond to those requests. */
function uploads(
  change: {
    put?: (sent: SentRequest) => ReturnType<Parameters<typeof scriptedNet>[0]>;
    complete?: () => ReturnType<Parameters<typeof scriptedNet>[0]>;
    head?: () => ReturnType<Parameters<typeof scriptedNet>[0]>;
    /** The number of times that an aborted upload is still listed. */
    lingers?: number;
  },
) {
  let asked = 0;
  return scriptedNet((sent) => {
    if (/^DELETE .*uploadId/.test(sent.line)) {
      return asked++ < (change.lingers ?? 1) ? {} : { status: 404, body: errorXml("NoSuchUpload") };
    }
    if (/\?uploads=/.test(sent.line)) return { body: "<UploadId>u1</UploadId>" };
    if (/^PUT .*partNumber/.test(sent.line)) {
      return change.put?.(sent) ?? { headers: { etag: '"0cc175b9c0f1b6a831c399e269772661"' } };
    }
    if (/^POST .*uploadId/.test(sent.line)) return change.complete?.() ?? { body: "<ETag>e</ETag>" };
    if (/^HEAD/.test(sent.line)) return change.head?.() ?? { status: 404 };
    return {};
  });
}

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
  const again: DriverEnvironment["again"] = (stop, act) =>
    retrying({ policy, clock, stop, log: () => {}, random: () => 0 }, act);
  return { clock, driver: driverOn(net, undefined, { again }) };
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

Deno.test("s3: creates a missing bucket, encrypted, if configured; one created concurrently is accepted", async () => {
  for (
    const made of [{}, { status: 409, body: errorXml("BucketAlreadyOwnedByYou") }, {
      status: 409,
      body: errorXml("BucketAlreadyExists"),
    }]
  ) {
    let there = false;
    const net = scriptedNet(({ line }) => {
      if (line === "PUT /b") return there = true, made;
      return /^PUT \/b\/k/.test(line) && !there ? { status: 404, body: errorXml("NoSuchBucket") } : undefined;
    });
    const settings = { ...STATIC, region: "eu-west-1", createBucketIfNotPresent: { objectLocking: true } };
    await (await driverOn(net, settings)).write(at("k"), sourceOf("x"), stop);
    assertEquals(lines(net.sent), ["PUT /b/k", "PUT /b", "PUT /b/k"]);
    assertStringIncludes(net.sent[1]?.body ?? "", "<LocationConstraint>eu-west-1</LocationConstraint>");
    assertEquals(net.sent[1]?.headers["x-amz-bucket-object-lock-enabled"], "true");
  }
  const never = scriptedNet(() => ({ status: 404, body: errorXml("NoSuchBucket") }));
  assertEquals(
    (await failureOf(async () => await (await driverOn(never)).write(at("k"), sourceOf("x"), stop))).kind,
    "bucket",
  );
  assertEquals(never.sent.length, 1);
});

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

for (
  const [settings, expected] of [
    [{ endpoint: "minio:9000" }, "minio:9000 GET /b/k"],
    [{ endpoint: "http://minio:9000/", insecure: true }, "minio:9000 GET /b/k"],
    [{ endpoint: "[::1]:9000" }, "[::1]:9000 GET /b/k"],
    [{ endpoint: "s3.amazonaws.com" }, "b.s3.amazonaws.com GET /k"],
    [{ endpoint: "s3.amazonaws.com", bucket: "b.c" }, "s3.amazonaws.com GET /b.c/k"],
    [{ endpoint: "s3.amazonaws.com", bucket: "b.c", insecure: true }, "b.c.s3.amazonaws.com GET /k"],
    [{ endpoint: "s3.amazonaws.com", addressingStyle: "path" }, "s3.amazonaws.com GET /b/k"],
    [{ endpoint: "minio:9000", addressingStyle: "virtual-hosted" }, "b.minio:9000 GET /k"],
    [{ endpoint: "storage.googleapis.com" }, "b.storage.googleapis.com GET /k"],
    [{ endpoint: "notamazonaws.com" }, "notamazonaws.com GET /b/k"],
  ] as const
) {
  Deno.test(`s3: ${JSON.stringify(settings)} is requested as ${expected}`, async () => {
    const net = scriptedNet(() => ({ body: "x" }));
    await read(await driverOn(net, { ...STATIC, ...settings }));
    assertEquals(`${net.sent[0]?.host} ${net.sent[0]?.line}`, expected);
  });
}

for (const endpoint of ["", "https://h/path", "http://h", "h/p", "u:p@h", "h h", "h:port"]) {
  Deno.test(`the endpoint ${JSON.stringify(endpoint)} is rejected with an error that names it, without a request`, async () => {
    const error = await failureOf(() => driverOn(scriptedNet(() => undefined), { ...STATIC, endpoint }));
    assertEquals(error.kind, "final");
    assertStringIncludes(error.message, "s3.endpoint");
  });
}

Deno.test("s3: a failing second page of a list is an error, not the end of the list", async () => {
  const page = "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>" +
    "<Contents><Key>d/a&amp;b</Key><Size>1</Size></Contents>";
  const net = scriptedNet((_, number) => number === 1 ? { body: page } : { status: 503 });
  const driver = await driverOn(net);
  const names: string[] = [];
  await failureOf(async () => {
    for await (const { name } of driver.list(at("d"), stop)) names.push(name);
  });
  assertEquals(names, ["a&b"]);
  assertStringIncludes(net.sent[1]?.line ?? "", "continuation-token=t");
});

Deno.test("s3: a list whose pages form a cycle, or that never ends, is an error", async () => {
  const page = (token: string) =>
    `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>` +
    "<Contents><Key>d/a</Key><Size>1</Size></Contents>";
  const circle = scriptedNet((_, number) =>
    number > 100 ? new TypeError("asked without end") : { body: page(`${number % 3}`) }
  );
  const listed = async (net: ScriptedNet) => await Array.fromAsync((await driverOn(net)).list(at("d"), stop));
  const error = await failureOf(() => listed(circle));
  assertEquals([error.kind, error.message], ["final", "s3: listing d/ failed: the pages of the list form a cycle"]);

  let given = 0;
  const endless = scriptedNet(() => undefined);
  const send = async (request: HttpRequest) => {
    const answer = await endless.send(request);
    const chunk = new TextEncoder().encode("<Contents><Key>d/a</Key></Contents>".repeat(30_000));
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        given += chunk.length;
        if (given > 100 << 20) controller.close();
        else controller.enqueue(chunk);
      },
    });
    return { ...answer, body };
  };
  const tooMuch = await failureOf(() => listed({ ...endless, send }));
  assertEquals(tooMuch.message, `s3: listing d/ failed: the response has more than ${32 << 20} bytes`);
  assert(given < 40 << 20, `${given} bytes were taken`);
});

for (
  const [status, code, kind] of [[403, "AccessDenied", "forbidden"], [409, "InvalidBucketState", "final"]] as const
) {
  Deno.test(`s3: a locked object is written with a checksum, and a rejected deletion (${code}) is reported after one request (AR-71)`, async () => {
    const locked = errorXml(code, "<Resource>locked until 2030</Resource>");
    const net = scriptedNet(({ line }) =>
      line.startsWith("DELETE") ? { status, body: locked } : { headers: { etag: "e" } }
    );
    const driver = await driverOn(net);
    await driver.write(at("k"), sourceOf("abc"), stop);
    // A store with object locks requires a checksum of the content.
    assert(net.sent[0]!.headers["x-amz-checksum-crc32"] !== undefined);
    const error = await failureOf(() => driver.remove(at("k"), stop));
    assertEquals(error.kind, kind);
    assertStringIncludes(error.message, `s3: removing k failed: ${status}`);
    assertStringIncludes(error.message, code);
    assertEquals(net.sent.filter(({ line }) => line.startsWith("DELETE")).length, 1);
  });
}

Deno.test("s3: a bucket created with object locks requests them, and an object locked meanwhile is not overwritten (AR-71)", async () => {
  const made = { ...STATIC, createBucketIfNotPresent: { objectLocking: true } };
  const net = scriptedNet(({ line }, number) =>
    number === 1
      ? { status: 404, body: errorXml("NoSuchBucket") }
      : /^PUT \/b\/k/.test(line)
      ? { status: 412, body: errorXml("PreconditionFailed") }
      : {}
  );
  const error = await failureOf(async () => await (await driverOn(net, made)).write(at("k"), sourceOf("abc"), stop));
  assertEquals([error.kind, net.sent[1]!.line], ["changed", "PUT /b"]);
  assertEquals(net.sent[1]!.headers["x-amz-bucket-object-lock-enabled"], "true");
});

Deno.test("s3: an object that fails in a batch deletion is named, with the store's message", async () => {
  const net = scriptedNet(({ line }) => {
    if (line.startsWith("HEAD")) return { status: 404 };
    if (line.startsWith("GET")) return { body: "<Contents><Key>d/a</Key><Size>1</Size></Contents>" };
    return {
      body:
        "<DeleteResult><Error><Key>d/a</Key><Code>AccessDenied</Code><Message>locked</Message></Error></DeleteResult>",
    };
  });
  const error = await failureOf(async () => await (await driverOn(net)).remove(at("d"), stop));
  assertEquals([error.kind, error.message], ["forbidden", "s3: removing d/a failed: AccessDenied: locked"]);
});

Deno.test("s3: keys that XML cannot represent are deleted one by one, as are all if the store supports nothing else", async () => {
  const objects = ["d/plain", "d/%01"];
  const contents = objects.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join("");
  const net = scriptedNet(({ line }) => {
    if (line.startsWith("HEAD")) return { status: 404 };
    if (line.startsWith("GET")) return { body: `<EncodingType>url</EncodingType>${contents}` };
    return line.startsWith("POST") ? { status: 501 } : { status: 204 };
  });
  assertEquals(await (await driverOn(net)).remove(at("d"), stop), { removed: 2 });
  assertEquals(lines(net.sent).filter((line) => line.startsWith("DELETE")).sort(), [
    "DELETE /b/d/%01",
    "DELETE /b/d/plain",
  ]);
});

Deno.test("s3: deletes a folder of 20,000 objects page by page with constant memory (AR-141)", async () => {
  let [removed, listed, ahead] = [0, 0, 0];
  const key = (index: number) => `d/${String(index).padStart(6, "0")}`;
  const net = scriptedNet(({ line, body }) => {
    if (line.startsWith("POST")) {
      removed += body.split("<Key>").length - 1;
      return { body: "<DeleteResult></DeleteResult>" };
    }
    if (line.startsWith("HEAD")) return { status: 404 };
    const from = Number(/continuation-token=(\d+)/.exec(line)?.[1] ?? 0);
    const keys = Array.from({ length: 1000 }, (_, index) => `<Contents><Key>${key(from + index)}</Key></Contents>`);
    const next = from + 1000;
    const more = next < 20_000 ? `<NextContinuationToken>${next}</NextContinuationToken>` : "";
    listed += keys.length;
    ahead = Math.max(ahead, listed - removed);
    return { body: `<L><IsTruncated>${more !== ""}</IsTruncated>${more}${keys.join("")}</L>` };
  });
  const driver = await driverOn(net);
  assertEquals(await driver.remove(at("d"), stop), { removed: 20_000 });
  assertEquals([removed, listed], [20_000, 20_000]);
  // Keys that were listed and are not removed yet.
  assert(ahead <= 2000, `${ahead} keys were held at once`);
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

Deno.test("s3: a store that cannot report existing content is written to, and not asked again after a refusal", async () => {
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

/** A store that keeps the parts of uploads, and lists them, two per page. */
function partsStore(change: { crc?: boolean; list?: () => ReturnType<Parameters<typeof scriptedNet>[0]> } = {}) {
  const parts = new Map<number, { text: string; crc: string }>();
  let begun = 0;
  const net = scriptedNet(({ line, headers, body }) => {
    const query = new URLSearchParams(line.slice(line.indexOf("?") + 1));
    if (line.startsWith("POST") && query.has("uploads")) return { body: `<UploadId>u${++begun}</UploadId>` };
    if (line.startsWith("PUT")) {
      parts.set(Number(query.get("partNumber")), { text: body, crc: headers["x-amz-checksum-crc32"]! });
      return { headers: { etag: `"${md5(body)}"` } };
    }
    if (line.startsWith("GET")) {
      const marker = Number(query.get("part-number-marker") ?? 0);
      const found = [...parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b);
      const page = found.slice(0, 2).map(([number, { text, crc }]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5(text)}&quot;</ETag><Size>${text.length}</Size>` +
        `${change.crc ? `<ChecksumCRC32>${crc}</ChecksumCRC32>` : ""}</Part>`
      );
      const more = found.length > 2
        ? `<IsTruncated>true</IsTruncated><NextPartNumberMarker>${found[1]![0]}</NextPartNumberMarker>`
        : "";
      return change.list?.() ?? { body: `<ListPartsResult>${page.join("")}${more}</ListPartsResult>` };
    }
    if (line.startsWith("DELETE")) return { status: 404, body: errorXml("NoSuchUpload") };
    return { body: "<ETag>e</ETag>" };
  });
  return { net, parts };
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/** Sends the content before a byte, like a process that is killed then. */
async function killedAt(net: ScriptedNet, begun: StartedUploads, text: string, byte: number): Promise<void> {
  const stuck = blockingContent(bytes(text), byte);
  const driver = await driverOn(net, STATIC, { begun, limits: { parts: 1, partBytes: 4, objects: 1 } });
  driver.write(at("k"), stuck.source, stop).catch(() => {});
  await stuck.reached;
  net.sent.length = 0;
}

for (const crc of [true, false]) {
  const sum = crc ? "check sums" : "etags";
  Deno.test(`s3: an upload resumes where a killed process left it, by the ${sum} of its parts (AN-04)`, async () => {
    const begun = uploadsInMemory();
    const { net } = partsStore({ crc });
    await killedAt(net, begun, "aaaabbbbccccdddd", 12);
    const driver = await driverOn(net, STATIC, { begun });
    await driver.write(at("k"), sourceOf("aaaaXXXXccccdddd"), stop);
    assertEquals(lines(net.sent).map((line) => line.replace(/^(\S+) \S+\?/, "$1 ")), [
      "GET max-parts=1000&uploadId=u1",
      "GET max-parts=1000&part-number-marker=2&uploadId=u1",
      "PUT partNumber=2&uploadId=u1",
      "PUT partNumber=4&uploadId=u1",
      "POST uploadId=u1",
    ]);
    const named = [...net.sent.at(-1)!.body.matchAll(/&#34;([0-9a-f]+)&#34;/g)].map(([, etag]) => etag);
    assertEquals(named, ["aaaa", "XXXX", "cccc", "dddd"].map(md5));
    assertEquals(begun.said.size, 0);
  });
}

Deno.test("s3: an upload that cannot be resumed is aborted, and another one is started", async () => {
  for (
    const [what, change, text] of [
      ["content of another size", {}, "aaaabbbbccccd"],
      [
        "a store that does not list parts",
        { list: () => ({ status: 501, body: errorXml("NotImplemented") }) },
        undefined,
      ],
      ["an upload that is gone", { list: () => ({ status: 404, body: errorXml("NoSuchUpload") }) }, undefined],
    ] as const
  ) {
    const begun = uploadsInMemory();
    const { net } = partsStore(change);
    await killedAt(net, begun, "aaaabbbbccccdddd", 8);
    await (await driverOn(net, STATIC, { begun })).write(at("k"), sourceOf(text ?? "aaaabbbbccccdddd"), stop);
    const sent = lines(net.sent);
    assertEquals(sent.some((line) => line === "DELETE /b/k?uploadId=u1"), what !== "an upload that is gone", what);
    assertEquals(sent.filter((line) => line.startsWith("PUT")).length, 4, what);
    assertEquals([sent.at(-1), begun.said.size], ["POST /b/k?uploadId=u2", 0], what);
  }
});

Deno.test("s3: a completed or aborted upload is no longer stored; a small one never is", async () => {
  const begun = uploadsInMemory();
  const seen: number[] = [];
  const driver = await driverOn(
    uploads({
      put: () => {
        seen.push(begun.said.size);
        return seen.length === 3 ? { status: 403, body: errorXml("AccessDenied") } : { headers: { etag: '"e"' } };
      },
    }),
    STATIC,
    { begun },
  );
  await driver.write(at("k"), sourceOf("abc"), stop);
  assertEquals([seen, begun.said.size], [[], 0]);
  await driver.write(at("k"), sourceOf("abcdefg"), stop);
  assertEquals([seen, begun.said.size], [[1, 1], 0]);
  await failureOf(() => driver.write(at("k"), sourceOf("abcdefg"), stop));
  assertEquals(begun.said.size, 0);
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

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
