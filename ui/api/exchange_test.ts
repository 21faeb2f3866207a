import { assertEquals, assertRejects } from "@std/assert";
import { type Exchange, type FilePart, requestFile, requestJson } from "./exchange.ts";
import { Refusal } from "./refusal.ts";

/** A server with one file. As in HTTP, it sends a range only if `If-Range` matches the file. */
function serverOf(file: { text: string; tag?: string; ignoresRanges?: boolean }): Exchange {
  return {
    base: "http://server.test/",
    authorization: () => undefined,
    fetch: (_url, { headers }) => {
      const asked = new Headers(headers);
      const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(asked.get("range") ?? "") ?? [];
      const condition = asked.get("if-range");
      const isPart = from !== undefined && !file.ignoresRanges && (condition === null || condition === file.tag);
      const body = isPart ? file.text.slice(Number(from), Number(last) + 1) : file.text;
      const tag: HeadersInit = file.tag === undefined ? {} : { etag: file.tag };
      return Promise.resolve(new Response(body, { status: isPart ? 206 : 200, headers: tag }));
    },
  };
}

async function partOf(exchange: Exchange, part: FilePart): Promise<string> {
  const { bytes } = await requestFile(exchange, { tried: "read", path: "file", part }, () => part.to - part.from);
  return new TextDecoder().decode(bytes);
}

const PART = { from: 2, to: 4 };

Deno.test("requestFile: reads a range of the same file, with and without a tag", async () => {
  assertEquals(await partOf(serverOf({ text: "abcdef", tag: '"1"' }), { ...PART, tag: '"1"' }), "cd");
  assertEquals(await partOf(serverOf({ text: "abcdef", tag: 'W/"1"' }), { ...PART, tag: 'W/"1"' }), "cd");
  assertEquals(await partOf(serverOf({ text: "abcdef" }), { ...PART, tag: undefined }), "cd");
});

Deno.test("requestFile: refuses a range of a file that was replaced", async () => {
  for (const [before, now] of [['"1"', '"2"'], ['W/"1"', 'W/"2"'], ['"1"', undefined]] as const) {
    const server = serverOf({ text: "other!", ...(now ? { tag: now } : {}) });
    const { kind, message } = await assertRejects(() => partOf(server, { ...PART, tag: before }), Refusal);
    assertEquals([kind, message], ["conflict", "the file was replaced while parts of it were read"]);
  }
});

Deno.test("requestFile: refuses the whole file instead of a range", async () => {
  const server = serverOf({ text: "abcdef", tag: '"1"', ignoresRanges: true });
  const { message } = await assertRejects(() => partOf(server, { ...PART, tag: '"1"' }), Refusal);
  assertEquals(message, "the server sent the whole file instead of a part");
});

Deno.test("requestJson: reports once that a response is large, while it arrives", async () => {
  const told: string[] = [];
  for (const letters of [10, 99_000, 101_000, 500_000]) {
    const text = JSON.stringify("x".repeat(letters));
    await requestJson(serverOf({ text }), { tried: "read", path: "run", onLarge: () => told.push(String(letters)) });
  }
  assertEquals(told, ["101000", "500000"]);
});
