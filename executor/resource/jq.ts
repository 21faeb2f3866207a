/** `jqFilter` of output parameters: jq as WebAssembly. Imported only if a template has a filter. */
import { loadJq } from "jq-wasm/inline";
import { marshalJson, unmarshalJson, type Value } from "@tiphys/base/go";

/** An error of a filter: invalid syntax, or a failure on its input. */
export class JqError extends Error {
  override readonly name = "JqError";
}

/**
 * Applies a filter and returns its results, one per line: strings unquoted, all other values as JSON with sorted keys.
 * @throws {JqError} with jq's message.
 */
export async function filterJson(filter: string, value: unknown): Promise<string> {
  const jq = await loadJq();
  // jq keeps the order of keys, but workflows expect Argo's implementation, which sorts them.
  const { stdout, stderr, exitCode } = jq.raw(marshalJson(value as Value), filter, ["--compact-output"]);
  if (exitCode !== 0) throw new JqError(stderr.trim() || `jq exited with code ${exitCode}`);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map(unmarshalJson).map((result) => typeof result === "string" ? result : marshalJson(result)).join("\n")
    .trim();
}
