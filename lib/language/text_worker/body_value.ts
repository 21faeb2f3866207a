/** Parses request bodies: tasks of the thread. The result is copied to the caller's thread, so its size is limited. */
import type { Json } from "@tiphys/model/api";
import { METHODS, readMessage } from "@tiphys/proto";
import { parseJson } from "@tiphys/base/bounded_json";
import { LIMITS } from "@tiphys/base/limits";

/** A body of JSON. */
export interface JsonBody {
  readonly text: string;
  /** Maximum nesting depth. */
  readonly depth: number;
}

/** A body of gRPC: the ID of its method, and the bytes of its message in base64. */
export interface MessageBody {
  readonly method: string;
  readonly bytes: string;
}

/** The value of a body; or the error, with `isTooLarge` for a value that no cluster stores. */
export type BodyValue = { readonly value: Json } | { readonly error: string; readonly isTooLarge?: boolean };

/** The value of a body of JSON, bounded by `LIMITS.jsonValues`, `LIMITS.bodyKeys` and `LIMITS.bodyLists`. */
export function jsonBody({ text, depth }: JsonBody): BodyValue {
  return boundedValue(text.length, () => parseJson(text, { depth, values: LIMITS.jsonValues }));
}

/** The value of a message, with the bounds of {@link jsonBody}. */
export function messageBody({ method, bytes }: MessageBody): BodyValue {
  const input = METHODS.find(({ id }) => id === method)!.input;
  return boundedValue(bytes.length, () => readMessage(input, Uint8Array.fromBase64(bytes)));
}

function boundedValue(characters: number, read: () => unknown): BodyValue {
  try {
    const value = read() as Json;
    const problem = characters > LIMITS.inlineCharacters ? sizeProblem(value) : undefined;
    return problem === undefined ? { value } : { error: problem, isTooLarge: true };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The reason why a value is too large; undefined when it is not. Different keys and lists cost far more than texts. */
function sizeProblem(value: unknown): string | undefined {
  const keys = new Set<string>();
  let lists = 0;
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    if (++lists > LIMITS.bodyLists) return `the body has more than ${LIMITS.bodyLists} lists and objects`;
    if (Array.isArray(next)) {
      for (const item of next) left.push(item);
      continue;
    }
    for (const [key, field] of Object.entries(next)) {
      keys.add(key);
      left.push(field);
    }
    if (keys.size > LIMITS.bodyKeys) return `the body has more than ${LIMITS.bodyKeys} different keys`;
  }
  return undefined;
}
