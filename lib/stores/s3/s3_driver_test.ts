import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { HttpRequest } from "@tiphys/base/net";
import { sourceOf } from "../../artifacts/testing/contract/bench.ts";
import { driverOn, errorXml, type ScriptedNet, scriptedNet, STATIC } from "./testing/scripted_net.ts";
import { at, failureOf, lines, read, stop } from "./testing/s3_bench.ts";

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
