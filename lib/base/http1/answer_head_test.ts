import { assert, assertEquals, assertRejects } from "@std/assert";
import { readResponseHead } from "./answer_head.ts";
import type { ByteSource } from "./arrivals.ts";
import { MessageError, NoResponseError } from "./message_error.ts";
import { Parts } from "./testing/parts.ts";

const headOf = (text: string) => readResponseHead(Parts.of(text));

Deno.test("readResponseHead: reads the head and leaves the bytes after it", async () => {
  const parts = Parts.of("HTTP/1.1 404 Not  Found\r\nContent-Length: 3\r\nX-Empty:\r\n\r\nabc");
  const { status, statusText, headers, keep } = await readResponseHead(parts);
  assertEquals([status, statusText, keep, parts.left], [404, "Not  Found", true, 3]);
  assertEquals([...headers], [["content-length", "3"], ["x-empty", ""]]);
});

Deno.test("readResponseHead: joins repeated headers with commas in order and trims values", async () => {
  const { headers } = await headOf("HTTP/1.1 200 OK\nA: \tone  two \nB:x\na: three\n\n");
  assertEquals([...headers], [["a", "one  two, three"], ["b", "x"]]);
});

Deno.test("readResponseHead: each byte of a header is one character", async () => {
  const { headers, statusText } = await headOf("HTTP/1.1 200 \xe9\r\nX: \x80\xff\r\n\r\n");
  assertEquals([headers.get("x"), statusText], ["\x80\xff", "\xe9"]);
});

for (
  const [head, keep] of [
    ["HTTP/1.1 200 OK\r\n", true],
    ["HTTP/1.1 200\r\n", true],
    ["HTTP/1.1 200 OK\r\nConnection: x, Close\r\n", false],
    ["HTTP/1.1 200 OK\r\nConnection: closely\r\n", true],
    ["HTTP/1.0 200 OK\r\n", false],
    ["HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n", true],
  ] as const
) {
  Deno.test(`readResponseHead: after ${JSON.stringify(head)} the connection is ${keep ? "" : "not "}reused`, async () => {
    assertEquals((await headOf(`${head}\r\n`)).keep, keep);
  });
}

Deno.test("readResponseHead: skips a limited number of informational responses", async () => {
  const early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  assertEquals((await headOf(`HTTP/1.1 100 Continue\r\n\r\n${early}HTTP/1.1 200 OK\r\n\r\n`)).status, 200);
  await assertRejects(() => headOf(early.repeat(2000)), MessageError, "more than 65536 bytes");
});

for (
  const [title, text, words] of [
    ["another protocol", "SSH-2.0-OpenSSH\r\n\r\n", "not an HTTP/1.1 response"],
    ["HTTP/2", "HTTP/2 200 OK\r\n\r\n", "not an HTTP/1.1 response"],
    ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", "not an HTTP/1.1 response"],
    ["an empty first line", "\r\nHTTP/1.1 200 OK\r\n\r\n", "not an HTTP/1.1 response"],
    ["a header without a colon", "HTTP/1.1 200 OK\r\nheader\r\n\r\n", "has no name"],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: value\r\n\r\n", "has no name"],
    ["space between a name and its colon", "HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\n", '"content-length "'],
    ["a header on two lines", "HTTP/1.1 200 OK\r\nA: b\r\n c: d\r\n\r\n", '" c" is invalid'],
    ["a carriage return within a value", "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", '"a" is invalid'],
    ["a zero byte within a value", "HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", '"a" is invalid'],
    ["too long a head", `HTTP/1.1 200 OK\r\nA: ${"b".repeat(65_536)}\r\n\r\n`, "more than 65536 bytes"],
    ["a first line without an end", "H".repeat(70_000), "more than 65536 bytes"],
    ["too many headers", `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(1001)}\r\n`, "more than 1000 headers"],
  ] as const
) {
  Deno.test(`readResponseHead: a head with ${title} is rejected as not retryable`, async () => {
    const error = await assertRejects(() => headOf(text), MessageError, words);
    assert(!error.isTruncated);
  });
}

Deno.test("readResponseHead: distinguishes an incomplete head from a missing response", async () => {
  const cut = await assertRejects(() => headOf("HTTP/1.1 200 OK\r\nA: b\r\n"), MessageError, "ended within its head");
  assert(cut.isTruncated && !(cut instanceof NoResponseError));
  await assertRejects(() => headOf("HTTP/1.1 100 Continue\r\n\r\n"), MessageError, "ended within its head");
  const none = await assertRejects(() => headOf(""), NoResponseError, "closed the connection without a response");
  assert(none.isTruncated);
});

Deno.test("readResponseHead: wraps an error before the first byte in NoResponseError and throws a later one unchanged", async () => {
  const cause = new Error("reset by peer");
  const failing = (text: string): ByteSource => {
    const parts = Parts.of(text);
    return {
      get bytes() {
        return parts.bytes;
      },
      consume: (count) => parts.consume(count),
      some: (max) => parts.some(max),
      readMore: async () => await parts.readMore() || Promise.reject(cause),
    };
  };
  const none = await assertRejects(() => readResponseHead(failing("")), NoResponseError, "reset by peer");
  assertEquals(none.cause, cause);
  const error = await assertRejects(() => readResponseHead(failing("HTTP/1.1 ")), Error);
  assertEquals(error, cause);
});
