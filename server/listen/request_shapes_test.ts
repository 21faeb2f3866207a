/** Tests of requests that two programs may parse differently, and of many headers. */
import { connect } from "node:http2";
import { assert, assertEquals } from "@std/assert";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { listen } from "./listen.ts";
import { requestUrl } from "./request_url.ts";

/**
 * Sends bytes until the server closes the connection. Returns the responses, and the requests that reached the handler.
 */
async function exchangeBytes(
  ...bytes: readonly string[]
): Promise<{ readonly answers: string[]; readonly handed: string[] }> {
  const handed: string[] = [];
  await using listening = await listeningWith((request) => void handed.push(`${request.method} ${request.url}`));
  const client = await Deno.connect({ port: listening.port });
  await client.write(new TextEncoder().encode(bytes.join("")));
  const text = await new Response(client.readable).text();
  return { answers: [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status = ""]) => status), handed };
}

async function listeningWith(see: (request: Request) => void) {
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    async handler(request) {
      see(request);
      await request.text();
      return new Response("answered");
    },
  });
  return { port: listening.port, [Symbol.asyncDispose]: () => listening.close() };
}

const get = (target: string, ...headers: readonly string[]) =>
  [`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n");
const post = (body: string, ...headers: readonly string[]) =>
  ["POST /a HTTP/1.1", "Host: a", ...headers, "", body].join("\r\n");
/** A second request, if the first one ended earlier than its sender intended. */
const SECOND = get("/second", "Host: a");

const REFUSED: Readonly<Record<string, string>> = {
  "a length and chunks": post(`0\r\n\r\n${SECOND}`, "Content-Length: 4", "Transfer-Encoding: chunked"),
  "chunks and a length": post(`0\r\n\r\n${SECOND}`, "Transfer-Encoding: chunked", "Content-Length: 4"),
  "two lengths": post(SECOND, "Content-Length: 0", `Content-Length: ${SECOND.length}`),
  "a list of lengths": post(SECOND, `Content-Length: 0, ${SECOND.length}`),
  "a length with a sign": post("x", "Content-Length: +1"),
  "a length below nothing": post("x", "Content-Length: -1"),
  "a length in hexadecimal": post("x", "Content-Length: 0x1"),
  "a blank behind the name of the length": post("x", "Content-Length : 1"),
  "a length beyond all numbers": post("x", `Content-Length: ${"9".repeat(30)}`),
  "chunks that are not the last encoding": post(`0\r\n\r\n${SECOND}`, "Transfer-Encoding: chunked, identity"),
  "a vertical tab before the encoding": post(`0\r\n\r\n${SECOND}`, "Transfer-Encoding:\vchunked"),
  "lines without a carriage return": `GET / HTTP/1.1\nHost: a\n\n${SECOND}`,
  "a carriage return alone": get("/", "Host: a\rX: y"),
  "a header that continues in the next line": get("/", "Host: a", "X: y", " Transfer-Encoding: chunked"),
  "a blank before the first header": get("/", " Host: a"),
  "a zero byte in a header": get("/", "Host: a", "X: a\0b"),
  "no host": get("/"),
  "two hosts": get("/", "Host: a", "Host: b"),
  "two equal hosts": get("/", "Host: a", "host: a"),
  "a host with a user": get("/", "Host: user:word@a"),
  "a host with a path": get("/x", "Host: a/api/v1/info?"),
  "a path that leads upward": get("/page/../api/v1/info", "Host: a"),
  "a path that leads upward in hexadecimal": get("/page/%2E%2e/api", "Host: a"),
  "a path with a part that stands for itself": get("/page/./api", "Host: a"),
};

for (const [title, bytes] of Object.entries(REFUSED)) {
  Deno.test(`listen: an ambiguous request is refused and does not reach the handler: ${title}`, async () => {
    assertEquals(await exchangeBytes(bytes), { answers: ["400"], handed: [] });
  });
}

Deno.test("requestUrl: the whole target is the path and cannot name a host", async () => {
  const handed = await Promise.all(
    ["//evil.example/x", "/\\evil.example/x", "/a\\b", "/a?b=//c/../d", "*"].map(async (target) =>
      (await exchangeBytes(get(target, "Host: a:80"))).handed[0]
    ),
  );
  assertEquals(handed, [
    "GET http://a//evil.example/x",
    "GET http://a/%5Cevil.example/x",
    "GET http://a/a%5Cb",
    "GET http://a/a?b=//c/../d",
    "GET http://a/*",
  ]);
});

Deno.test("requestUrl: accepts a valid absolute URL and rejects a broken one", () => {
  const url = (target: string, host = "a") => requestUrl(target, { scheme: "https", host })?.href;
  assertEquals(url("http://b/x?y"), "http://b/x?y");
  assertEquals(url("HTTP://b/x"), "http://b/x");
  assertEquals(url("/x", "[::1]:2746"), "https://[::1]:2746/x");
  for (const target of ["http://u@b/x", "http://b/../x", "http://b:99999/x"]) assertEquals(url(target), undefined);
  for (const host of ["", "a b", "a#b", "a\\b", "a:x"]) assertEquals(url("/x", host), undefined, host);
});

Deno.test("listen: a request with too many headers is rejected with 431", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}: y`);
  const max = await exchangeBytes(get("/", "Host: a", ...many(126)));
  assertEquals([max.answers, max.handed.length], [["200"], 1]);
  for (const count of [127, 1500]) {
    const over = await exchangeBytes(get("/", "Host: a", ...many(count)));
    assertEquals([over.answers, over.handed], [["431"], []], String(count));
  }
});

Deno.test("listen: HTTP/2 has the same header limits as HTTP/1.1", async () => {
  let handed = 0;
  await using listening = await listeningWith(() => void handed++);
  const session = deferSessionEnd(connect(`http://localhost:${listening.port}`));
  const statusOf = async (length: number) => {
    const stream = session.request({ ":path": "/", "x-long": "y".repeat(length) });
    const status = new Promise((resolve) => stream.once("response", (headers) => resolve(headers[":status"])));
    stream.resume();
    return await status;
  };
  assertEquals([await statusOf(15 << 10), handed], [200, 1]);
  assertEquals([await statusOf(17 << 10), handed], [431, 1]);
  assertEquals([await statusOf(1), handed], [200, 2]);
  session.destroy();
});

Deno.test("listen: a chunked body ends with its last chunk, even with malformed chunks", async () => {
  const body = (chunks: string) => exchangeBytes(post(chunks, "Transfer-Encoding: chunked"), SECOND);
  assertEquals((await body("1;x=y\r\nz\r\n0\r\nAuthorization: Bearer x\r\n\r\n")).handed, [
    "POST http://a/a",
    "GET http://a/second",
  ]);
  for (const chunks of ["1\nz\n0\n\n", "-1\r\nz\r\n0\r\n\r\n", `${"f".repeat(17)}\r\nz\r\n`, "1\r\nzXX0\r\n\r\n"]) {
    const { handed } = await body(chunks);
    assert(!handed.includes("GET http://a/second"), chunks);
  }
});
