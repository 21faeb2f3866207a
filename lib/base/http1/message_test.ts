import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readResponseHead } from "./answer_head.ts";
import type { Bytes } from "./arrivals.ts";
import { Body, framingOf } from "./body.ts";
import { MessageError } from "./message_error.ts";
import { bytesOf, Parts } from "./testing/parts.ts";

/** Returns the parsed message, or its error, and the number of bytes that were not consumed. */
async function readAll(parts: Parts): Promise<unknown> {
  const content: number[] = [];
  try {
    const head = await readResponseHead(parts);
    const body = new Body(parts, framingOf("GET", head));
    for (let part = await body.next(); part !== undefined; part = await body.next()) content.push(...part);
    return { ...head, headers: [...head.headers], content, left: parts.left };
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return { content, error: error.message, isCut: error.isTruncated };
  }
}

const lineEnd = fc.constantFrom("\r\n", "\r\n", "\n");
const word = fc.string({ unit: fc.constantFrom("a", "B", "7", "-"), minLength: 1, maxLength: 8 });
const value = fc.string({ unit: fc.constantFrom("a", "B", " ", ";", ",", "\xe9"), maxLength: 12 });
const header = fc.tuple(word, value, lineEnd).map(([name, value, end]) => `${name}: ${value}${end}`);
const headers = fc.array(header, { maxLength: 5 }).map((lines) => lines.join(""));
const content = fc.string({ unit: fc.constantFrom("x", "\r", "\n", "0", "\xff"), maxLength: 40 });
const chunk = fc.tuple(content, lineEnd, fc.constantFrom("", ";a=b", " ")).map(([text, end, words]) =>
  text === "" ? "" : `${text.length.toString(16)}${words}${end}${text}${end}`
);
const chunked = fc.tuple(fc.array(chunk, { maxLength: 5 }), headers, lineEnd).map(([chunks, trailers, end]) =>
  `Transfer-Encoding: chunked${end}${end}${chunks.join("")}0${end}${trailers}${end}`
);
const sized = content.map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`);
const toTheEnd = fc.tuple(lineEnd, content).map(([end, text]) => end + text);
const interim = fc.constantFrom("", "", "HTTP/1.1 100 Continue\r\n\r\n");
const message = fc.tuple(interim, headers, fc.oneof(chunked, sized, toTheEnd), content).map(
  ([before, lines, body, next]) => `${before}HTTP/1.1 200 OK\r\n${lines}${body}${next}`,
);
/** A message, possibly truncated or with one changed byte. */
const broken = fc.tuple(message, fc.nat(), fc.constantFrom("", "\r", "\n", "g", ":", "\0", "9")).map(
  ([text, offset, other]) => {
    const place = offset % text.length;
    return text.slice(0, place) + (other === "" ? "" : other + text.slice(place + 1));
  },
);

function cut(bytes: Bytes, places: readonly number[]): Parts {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((one, other) => one - other);
  return new Parts([...sorted, bytes.length].map((end, index) => bytes.slice(sorted[index - 1] ?? 0, end)));
}

Deno.test("HTTP/1.1: the result for a valid or invalid message does not depend on how its bytes are split", async () => {
  const places = fc.array(fc.nat(), { maxLength: 12 });
  const property = fc.asyncProperty(fc.oneof(message, broken), places, async (text, places) => {
    const whole = await readAll(Parts.of(text));
    assertEquals(await readAll(cut(bytesOf(text), places)), whole);
    assertEquals(await readAll(Parts.of(text, 1)), whole);
  });
  await fc.assert(property, { numRuns: 500 });
});

Deno.test("HTTP/1.1: a message is read with its content and without the bytes after it", async () => {
  const property = fc.asyncProperty(fc.array(content, { maxLength: 5 }), content, async (parts, next) => {
    const chunks = parts.filter((part) => part !== "").map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const all = parts.join("");
    for (
      const text of [
        `HTTP/1.1 200 OK\r\nContent-Length: ${all.length}\r\n\r\n${all}`,
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`,
      ]
    ) {
      const read = await readAll(Parts.of(text + next, 3)) as { content: number[]; left: number };
      assertEquals([read.content, read.left], [[...bytesOf(all)], next.length]);
    }
  });
  await fc.assert(property, { numRuns: 200 });
});
