import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { ResponseHead } from "./answer_head.ts";
import { Body, type Framing, framingOf } from "./body.ts";
import { MessageError } from "./message_error.ts";
import { Parts } from "./testing/parts.ts";

const CHUNKED: Framing = { kind: "chunked" };

/** Returns the body as text, and the number of bytes that were not consumed. */
async function read(text: string, framing: Framing, size?: number): Promise<[string, number]> {
  const parts = Parts.of(text, size);
  const body = new Body(parts, framing);
  let all = "";
  for (let part = await body.next(); part !== undefined; part = await body.next()) {
    all += new TextDecoder().decode(part);
  }
  assert(body.isComplete);
  return [all, parts.left];
}

function head(headers: Record<string, string>, status = 200): ResponseHead {
  return { status, statusText: "", headers: new Map(Object.entries(headers)), keep: true };
}

const ten = { "content-length": "10" };
for (
  const [title, method, answer, framing] of [
    ["a length ends after that number of bytes", "GET", head(ten), { kind: "length", size: 10 }],
    ["a repeated length has that length", "GET", head({ "content-length": "10, 10" }), { kind: "length", size: 10 }],
    [
      "chunks ends with the last one and ignores its length",
      "GET",
      head({ ...ten, "transfer-encoding": "Chunked" }),
      {
        kind: "chunked",
      },
    ],
    ["neither ends with the connection", "GET", head({ "transfer-encoding": "identity" }), { kind: "to the end" }],
    ["a length, to HEAD, has no body", "HEAD", head(ten), { kind: "length", size: 0 }],
    ["status 204 has no body", "GET", head(ten, 204), { kind: "length", size: 0 }],
    ["status 304 has no body", "GET", head({ "transfer-encoding": "chunked" }, 304), { kind: "length", size: 0 }],
  ] as const
) {
  Deno.test(`framingOf: a response with ${title}`, () => assertEquals(framingOf(method, answer), framing));
}

for (const length of ["ten", "-1", "1e3", "10, 11", "", "1".repeat(16)]) {
  Deno.test(`framingOf: rejects a Content-Length of ${JSON.stringify(length)}`, () => {
    assertThrows(
      () => framingOf("GET", head({ "content-length": length })),
      MessageError,
      "of the response is invalid",
    );
  });
}

Deno.test("framingOf: rejects an unsupported transfer coding", () => {
  assertThrows(() => framingOf("GET", head({ "transfer-encoding": "gzip, chunked" })), MessageError, '"gzip, chunked"');
});

Deno.test("Body: consumes its bytes and no more", async () => {
  assertEquals(await read("content and more", { kind: "length", size: 7 }), ["content", 9]);
  assertEquals(await read("content", { kind: "length", size: 0 }), ["", 7]);
  assertEquals(await read("content", { kind: "to the end" }), ["content", 0]);
  const chunks = "3;a=b\r\ncon\r\n0004 \r\ntent\r\n0\r\nX-Sum: 1\r\n\r\n";
  assertEquals(await read(`${chunks}more`, CHUNKED), ["content", 4]);
  assertEquals(await read(`a\nten letters\n00\n\nmore`.replace(" ", ""), CHUNKED), ["tenletters", 4]);
});

Deno.test("Body: with a length, is complete after its last byte without another read", async () => {
  const body = new Body(Parts.of("content"), { kind: "length", size: 7 });
  assert(!body.isComplete);
  await body.next();
  assert(body.isComplete);
});

for (
  const [title, text, words] of [
    ["without a length", "\r\ncontent", "has no size"],
    ["with a length that is not a number", "g\r\n", "has no size"],
    ["with a negative length", "-1\r\n", "has no size"],
    ["with a length of fourteen digits", `${"1".repeat(14)}\r\n`, "has no size"],
    ["longer than its size", "3\r\ncontent\r\n0\r\n\r\n", "longer than its size"],
    ["behind a line of more than 4096 bytes", `3;${"x".repeat(5000)}\r\n`, "more than 4096 bytes"],
    ["behind a line without an end", "0".repeat(5000), "more than 4096 bytes"],
    ["in front of headers without end", `0\r\n${"a: b\r\n".repeat(101)}\r\n`, "more than 100 headers"],
  ] as const
) {
  Deno.test(`Body: a chunk ${title} is rejected as not retryable`, async () => {
    for (const size of [1, 1000, Infinity]) {
      const error = await assertRejects(() => read(text, CHUNKED, size), MessageError, words);
      assert(!error.isTruncated);
    }
  });
}

for (
  const text of [
    "",
    "5",
    "5\r\n",
    "5\r\nshort",
    "5\r\nshort\r\n",
    "5\r\nshort\r\n0\r\n",
    "0\r\nA: b\r\n",
    "ff\r\nshort",
  ]
) {
  Deno.test(`Body: chunks that end after ${JSON.stringify(text)} are an error, not a short body`, async () => {
    const error = await assertRejects(() => read(text, CHUNKED), MessageError, "the response ended early");
    assert(error.isTruncated);
  });
}

Deno.test("Body: fewer bytes than the Content-Length are an error, not a short body", async () => {
  const error = await assertRejects(() => read("short", { kind: "length", size: 10 }), MessageError, "5 of 10 bytes");
  assert(error.isTruncated);
});
