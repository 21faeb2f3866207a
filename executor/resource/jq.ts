/** `jqFilter` of output parameters: jq itself, as WebAssembly. Loaded only where a template has a filter. */
import { loadJq } from "jq-wasm/inline";
import { marshalJson, unmarshalJson, type Value } from "../../lib/go/mod.ts";

/** A filter that cannot be read, or that fails on what it is given. */
export class JqError extends Error {
  override readonly name = "JqError";
}

/**
 * The results of a filter, one a line: texts as they are, everything else as JSON with sorted keys.
 * @throws {JqError} in jq's words.
 */
export async function filterJson(filter: string, value: unknown): Promise<string> {
  const jq = await loadJq();
  // jq keeps the order of keys, and the filters of workflows are written for one that sorts them.
  const { stdout, stderr, exitCode } = jq.raw(marshalJson(value as Value), filter, ["--compact-output"]);
  if (exitCode !== 0) throw new JqError(stderr.trim() || `jq ended with exit code ${exitCode}`);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map(unmarshalJson).map((result) => typeof result === "string" ? result : marshalJson(result)).join("\n")
    .trim();
}
