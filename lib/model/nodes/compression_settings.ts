/** The compression of nodes as configured in the environment of the controller and the server. */
import type { NodeCompression, NodeFormat } from "./formats.ts";

/** The values of `WORKFLOW_COMPRESSION_ALGORITHM`. */
export const NODE_FORMATS = ["gzip", "zstd", "brotli"] as const satisfies readonly NodeFormat[];

/**
 * Parses `WORKFLOW_COMPRESSION_ALGORITHM`. Default: gzip.
 * @throws {Error} for another value.
 */
export function readNodeFormat(text: string | undefined): NodeFormat {
  const found = NODE_FORMATS.find((format) => format === (text ?? "gzip"));
  if (found) return found;
  throw new Error(`expected one of ${NODE_FORMATS.join(", ")}, got ${JSON.stringify(text)}`);
}

/**
 * Parses `WORKFLOW_COMPRESSION_LEVEL`. A level that the format does not support is ignored later.
 * @throws {Error} when it is not a number.
 */
export function readNodeLevel(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new Error(`expected a whole number, got ${JSON.stringify(text)}`);
}

/** Returns the compression of nodes; undefined for the default. */
export function nodeCompression(format: NodeFormat, level: number | undefined): NodeCompression | undefined {
  if (format === "gzip" && level === undefined) return undefined;
  return { format, ...(level === undefined ? {} : { level }) };
}
