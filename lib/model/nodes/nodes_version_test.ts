import { assertEquals } from "@std/assert";
import { NodesVersion } from "./nodes_version.ts";

/** Results of Go's `hash/fnv`, `New32`. */
const OF_GO: readonly [string, string][] = [
  ["", "fnv:2166136261"],
  ["a", "fnv:84696446"],
  ["foobar", "fnv:837857890"],
];

for (const [text, version] of OF_GO) {
  Deno.test(`NodesVersion: the version of ${JSON.stringify(text)} equals Go's hash, however the text is split`, () => {
    const bytes = new TextEncoder().encode(text);
    const whole = new NodesVersion();
    whole.read(bytes);
    const pieces = new NodesVersion();
    for (const byte of bytes) pieces.read(Uint8Array.of(byte));
    assertEquals([String(whole), String(pieces)], [version, version]);
  });
}
