/** Reads the golden vectors, a compressed list of JSON lines. */
import { gunzipSync } from "node:zlib";
import type { Vector } from "./vector.ts";

/** Returns all vectors by kind. */
export function readVectors(): Map<string, Vector[]> {
  const text = new TextDecoder().decode(gunzipSync(Deno.readFileSync(new URL("./vectors.jsonl.gz", import.meta.url))));
  const vectors = text.trimEnd().split("\n").map((line) => JSON.parse(line) as Vector);
  return Map.groupBy(vectors, ({ kind }) => kind);
}
