import { S3 } from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { createHash } from "node:crypto";
import { assertEquals, assertRejects } from "@std/assert";
import { signHeaders } from "@tiphys/stores/s3/signature";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import type { Bytes } from "@tiphys/base/net";
import { ArtifactStore } from "./artifact_store.ts";
import { decodeChunks, parseChunkedForm, SignatureChain } from "./chunked.ts";
import { accessKeyOf, secretKeyOf } from "./credentials.ts";
import { s3Handler } from "./s3_handler.ts";
import { serveStore } from "./serve.ts";

/** The chain of the example in the AWS documentation of chunked uploads. */
const example = () =>
  new SignatureChain(
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "20130524T000000Z",
    "20130524/us-east-1/s3/aws4_request",
    "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
  );

const SIGNATURES = [
  "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
  "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
  "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
] as const;

const CHUNKS = ["a".repeat(65_536), "a".repeat(1024), ""] as const;

function frameChunks(chunks: readonly string[], signatures: readonly string[]): string {
  return chunks.map((chunk, index) =>
    `${chunk.length.toString(16)};chunk-signature=${signatures[index]}\r\n${chunk}\r\n`
  )
    .join("");
}

async function textOf(text: string, size: number, chain?: SignatureChain): Promise<string> {
  const form = parseChunkedForm(chain ? "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" : "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
  const parts: Bytes[] = [];
  const body = new Blob([text]).stream();
  for await (const part of decodeChunks(body, { form, size, ...(chain ? { chain } : {}) }, new Map())) parts.push(part);
  return await new Blob(parts).text();
}

Deno.test("SignatureChain: matches the example in the AWS documentation", () => {
  const chain = example();
  const sums = CHUNKS.map((chunk) => createHash("sha256").update(chunk).digest("hex"));
  assertEquals(sums.map((sum) => chain.chunk(sum)), [...SIGNATURES]);
});

Deno.test("decodeChunks: decodes signed chunks", async () => {
  assertEquals(await textOf(frameChunks(CHUNKS, SIGNATURES), 66_560, example()), "a".repeat(66_560));
});

for (
  const [title, text, size] of [
    ["a chunk of other content", frameChunks([`b${CHUNKS[0].slice(1)}`, CHUNKS[1], ""], SIGNATURES), 66_560],
    [
      "chunks in another order",
      frameChunks([CHUNKS[1], CHUNKS[0], ""], [SIGNATURES[1], SIGNATURES[0], SIGNATURES[2]]),
      66_560,
    ],
    ["a chunk left out", frameChunks([CHUNKS[0], ""], [SIGNATURES[0], SIGNATURES[2]]), 65_536],
    ["a missing end", frameChunks(CHUNKS.slice(0, 2), SIGNATURES), 66_560],
    ["more than the declared length", frameChunks(CHUNKS, SIGNATURES), 66_559],
    ["less than the declared length", frameChunks(CHUNKS, SIGNATURES), 66_561],
    ["an invalid length", "zz\r\n", 1],
    ["a line without an end", "1".repeat(100_000), 1],
  ] as const
) {
  Deno.test(`decodeChunks: rejects ${title}`, async () => {
    await assertRejects(() => textOf(text, size, example()), Error);
  });
}

Deno.test("embedded store: the AWS client can upload a stream in chunks, and its content encoding is stored", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using store = await ArtifactStore.open({ folder });
    await using served = await serveStore(store);
    const credentials = { accessKeyId: accessKeyOf("a"), secretAccessKey: secretKeyOf(store, "a") };
    const s3 = new S3({
      endpoint: `http://127.0.0.1:${served.port}`,
      region: "us-east-1",
      forcePathStyle: true,
      credentials,
      maxAttempts: 1,
    });
    const content = "0123456789".repeat(20_000);
    const forms = new Set<string>();
    s3.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        forms.add(headers["x-amz-content-sha256"] ?? "");
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    const Bucket = EMBEDDED_STORE.bucket;
    const put = { Bucket, Key: "streamed", Body: Readable.from([content]), ContentLength: content.length };
    await s3.putObject({ ...put, ContentEncoding: "identity" });
    const got = await s3.getObject({ Bucket, Key: "streamed" });
    assertEquals(await got.Body!.transformToString(), content);
    assertEquals(got.ContentEncoding, "identity");
    assertEquals([...forms][0], "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    s3.destroy();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("embedded store: chunked content that does not match its trailing checksum is rejected and removed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using store = await ArtifactStore.open({ folder });
    const handler = s3Handler({ store });
    const keys = { accessKey: accessKeyOf("a"), secretKey: secretKeyOf(store, "a") };
    const put = async (sum: string, trailer = "x-amz-checksum-crc32") => {
      const path = `/${EMBEDDED_STORE.bucket}/k`;
      const given = {
        "x-amz-decoded-content-length": "5",
        "x-amz-trailer": trailer,
        "content-encoding": "aws-chunked",
      };
      const unsigned = {
        method: "PUT",
        path,
        query: [],
        host: "h",
        headers: given,
        payload: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      };
      const headers = signHeaders(unsigned, keys, { service: "s3", region: "us-east-1", at: Date.now() });
      const body = `5\r\nhello\r\n0\r\n${trailer}:${sum}\r\n\r\n`;
      const request = new Request(`http://h${path}`, { method: "PUT", headers: { ...headers, host: "h" }, body });
      const { status } = await handler(request);
      return [status, store.index.object("a", "k")?.size];
    };
    assertEquals(await put("AAAAAA=="), [400, undefined]);
    assertEquals(await put("AAAAAA==", "x-amz-checksum-crc64nvme"), [501, undefined]);
    // The CRC32 of "hello".
    assertEquals(await put("NhCmhg=="), [200, 5]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("embedded store: chunked content is only stored if it is signed with the keys of the namespace", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using store = await ArtifactStore.open({ folder });
    const handler = s3Handler({ store });
    const secretKey = secretKeyOf(store, "a");
    const put = async (chunkKey: string) => {
      const path = `/${EMBEDDED_STORE.bucket}/k`;
      const payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
      const headers = signHeaders(
        { method: "PUT", path, query: [], host: "h", headers: { "x-amz-decoded-content-length": "5" }, payload },
        { accessKey: accessKeyOf("a"), secretKey },
        { service: "s3", region: "us-east-1", at: Date.now() },
      );
      const time = new Headers(headers).get("x-amz-date") ?? "";
      const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
      const chain = new SignatureChain(chunkKey, time, scope, headers.authorization.slice(-64));
      const signatures = ["hello", ""].map((text) => chain.chunk(createHash("sha256").update(text).digest("hex")));
      const body = frameChunks(["hello", ""], signatures);
      const request = new Request(`http://h${path}`, { method: "PUT", headers: { ...headers, host: "h" }, body });
      const { status } = await handler(request);
      return [status, store.index.object("a", "k")?.size];
    };
    assertEquals(await put("another key"), [403, undefined]);
    assertEquals(await put(secretKey), [200, 5]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
