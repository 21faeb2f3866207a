import { assertEquals } from "@std/assert";
import { partsOf, type Source } from "@tiphys/base/net";
import { bytesOf, sourceOf } from "../testing/contract/bench.ts";
import { withDigest } from "./digested.ts";

const TEXT = "0123456789";

async function sumOf(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}

async function readIn(source: Source, ...parts: [number, number][]): Promise<void> {
  for (const [from, to] of parts) await bytesOf(source.open(from, to));
}

Deno.test("digested() returns the digest of content read whole, in sequential parts, or again from the beginning", async () => {
  const sum = await sumOf(TEXT);
  for (const parts of [[[0, 10]], [[0, 4], [4, 10]], [[0, 4], [0, 4], [4, 10]], [[0, 10], [0, 10]]]) {
    const { source, sha256 } = withDigest(sourceOf(TEXT));
    assertEquals(sha256(), undefined);
    await readIn(source, ...parts as [number, number][]);
    assertEquals(sha256(), sum, JSON.stringify(parts));
  }
  const small = withDigest({ ...sourceOf(TEXT), whole: () => new TextEncoder().encode(TEXT) });
  await Array.fromAsync(partsOf(small.source));
  assertEquals(small.sha256(), sum);
  assertEquals(withDigest(sourceOf("")).sha256(), await sumOf(""));
});

Deno.test("digested() returns undefined for content not read sequentially or not to its end", async () => {
  for (const parts of [[[4, 10], [0, 4]], [[0, 4]], [[0, 10], [0, 4]]]) {
    const { source, sha256 } = withDigest(sourceOf(TEXT));
    await readIn(source, ...parts as [number, number][]);
    assertEquals(sha256(), undefined, JSON.stringify(parts));
  }
});

Deno.test("digested() returns the digest of the last read if the content has changed", async () => {
  let text = TEXT;
  const changing: Source = { size: 10, open: (from, to) => sourceOf(text).open(from, to) };
  const { source, sha256 } = withDigest(changing);
  await readIn(source, [0, 10]);
  text = "abcdefghij";
  await readIn(source, [0, 10]);
  assertEquals(sha256(), await sumOf(text));
});
