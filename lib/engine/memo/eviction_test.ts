import { assertEquals } from "@std/assert";
import { LIMITS } from "@tiphys/base/limits";
import { keysToEvict } from "./eviction.ts";

const entry = (time: string, size = 0) => JSON.stringify({ nodeID: "x".repeat(size), lastHitTimestamp: time });
const OLD = "2026-11-22T09:49:46Z";
const NEW = "2026-11-22T09:50:00Z";

Deno.test("keysToEvict: does not parse entries if all of them fit", () => {
  const hits = new Map<string, number>();
  assertEquals(keysToEvict({ a: entry(OLD), b: entry(NEW) }, new Set(), hits), []);
  assertEquals(hits.size, 0);
});

Deno.test("keysToEvict: parses the entries of a full cache once for several calls", () => {
  const half = LIMITS.configMapBytes / 2;
  const hits = new Map<string, number>();
  const full = { old: entry(OLD, half), new: entry(NEW, half) };
  assertEquals(keysToEvict(full, new Set(), hits), ["old"]);
  assertEquals([...hits.values()], [OLD, NEW].map((time) => Date.parse(time)));
  // Cached hits are trusted.
  hits.set(full.new, 0);
  assertEquals(keysToEvict(full, new Set(), hits), ["new"]);
});
