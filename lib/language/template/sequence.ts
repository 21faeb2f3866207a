/** The items of `withSequence`. */
import { parseDecimal } from "@tiphys/base/go/number";
import { sprintf } from "@tiphys/base/go/printf";
import { quote } from "@tiphys/base/go/quote";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";

/** `withSequence` as written. Numbers may be texts. */
export interface SequenceFields {
  readonly count?: number | string;
  readonly start?: number | string;
  readonly end?: number | string;
  readonly format?: string;
}

/** Limit on the characters of all items together, because a format may be wide. */
const MAX_SIZE = 20_000_000;

/**
 * Returns the items from `start` (0) to `end`, downwards if `end` is less; or `count` items. A negative count runs
 * downwards, as in Argo: -1 gives 0, -1 and -2. `check` receives the number of items before any is made, and may throw.
 * @throws {TemplateError} for a bound that is not an integer.
 */
export function expandSequence(sequence: SequenceFields, check: (count: bigint) => void = () => {}): Item[] {
  const { start, end, length } = rangeOf(sequence);
  if (length === 0n) return [];
  check(length);
  const step = end < start ? -1n : 1n;
  const format = sequence.format || "%d";
  let size = 0;
  return Array.from({ length: Number(length) }, (_, index) => {
    const text = sprintf(format, start + BigInt(index) * step);
    size += text.length;
    if (size > MAX_SIZE) throw new TemplateError(`Expected at most ${MAX_SIZE} characters in withSequence`);
    return Item.parse(`"${text}"`);
  });
}

/**
 * Returns the number of items of a sequence.
 * @throws {TemplateError} for a bound that is not an integer.
 */
export function sequenceLength(sequence: SequenceFields): bigint {
  return rangeOf(sequence).length;
}

/** Returns the first and the last number of a sequence, and the number of items. */
function rangeOf(sequence: SequenceFields): { readonly start: bigint; readonly end: bigint; readonly length: bigint } {
  const start = sequence.start === undefined ? 0n : integer("start", sequence.start);
  let end: bigint;
  if (sequence.end !== undefined) end = integer("end", sequence.end);
  else if (sequence.count !== undefined) {
    const count = integer("count", sequence.count);
    if (count === 0n) return { start, end: start, length: 0n };
    end = start + count - 1n;
  } else throw new TemplateError("neither end nor count was specified in withSequence");
  return { start, end, length: (end < start ? start - end : end - start) + 1n };
}

function integer(field: string, value: number | string): bigint {
  const text = String(value);
  const number = parseDecimal(text);
  if (number.ok) return number.value;
  const fault = number.fault === "syntax" ? "invalid syntax" : "value out of range";
  throw new TemplateError(`withSequence.${field} is not an integer: strconv.Atoi: parsing ${quote(text)}: ${fault}`);
}
