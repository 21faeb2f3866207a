/** The form of compressed nodes, as variables of the environment name it for the controller and the server. */
import type { NodeCompression, NodeFormat } from "./formats.ts";

/** The forms, by the words of `WORKFLOW_COMPRESSION_ALGORITHM`. */
export const NODE_FORMATS = ["gzip", "zstd", "brotli"] as const satisfies readonly NodeFormat[];

/**
 * The form that `WORKFLOW_COMPRESSION_ALGORITHM` names; gzip without it.
 * @throws {Error} for another word.
 */
export function readNodeFormat(text: string | undefined): NodeFormat {
  const found = NODE_FORMATS.find((one) => one === (text ?? "gzip"));
  if (found) return found;
  throw new Error(`expected one of ${NODE_FORMATS.join(", ")}, got ${JSON.stringify(text)}`);
}

/**
 * The level that `WORKFLOW_COMPRESSION_LEVEL` names; one that the form does not have counts as none.
 * @throws {Error} for what is no number.
 */
export function readNodeLevel(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new Error(`expected a whole number, got ${JSON.stringify(text)}`);
}

/** The form and level in which nodes are written; undefined where they are the usual ones. */
export function nodeCompression(format: NodeFormat, level: number | undefined): NodeCompression | undefined {
  if (format === "gzip" && level === undefined) return undefined;
  return { format, ...(level === undefined ? {} : { level }) };
}
