/**
 * Checkers of the vectors of Go's notations: numbers, quantities, durations, times and the texts from which they are
 * parsed.
 */
import { UserError } from "@tiphys/base/user_error";
import { assert, assertEquals } from "@std/assert";
import {
  anyString,
  DurationError,
  durationSeconds,
  formatDuration,
  formatFloat,
  formatFloatFixed,
  formatFloatJson,
  formatFloatPlain,
  formatTime,
  formatValue,
  GoZone,
  humanizeDuration,
  intOrStringToInt32,
  isIntOrString,
  marshalJson,
  parseArgoDuration,
  parseDuration,
  parseTime,
  Quantity,
  QuantityError,
  quote,
  quoteJson,
  RFC3339,
  strftime,
  unmarshalJson,
} from "@tiphys/base/go";
import type { Check, Vector } from "./vector.ts";

/** The fields of a vector and our results; only fields that the vector has are compared. */
type Answers = Record<string, unknown>;

function integerText(value: bigint): string {
  return String(value);
}

const ANSWERS: Readonly<Record<string, (vector: Vector) => Answers>> = {
  formatfloat: ({ value }) => {
    const number = Number(value);
    return {
      f: formatFloatPlain(number),
      marshal: formatFloatJson(number),
      percentf: formatFloatFixed(number),
      v: formatFloat(number),
    };
  },
  formatvalue: ({ json }) => {
    const value = unmarshalJson(json);
    const marshal = marshalJson(value);
    return { marshal, quote: quote(marshal), v: formatValue(value) };
  },
  anystring: ({ json }) => {
    const output = anyString(JSON.parse(json));
    return { output, marshal: quoteJson(output) };
  },
  parameter: ({ json }) => {
    const { name, value } = JSON.parse(json) as { name: string; value: unknown };
    const hasValue = value !== null;
    const text = anyString(value);
    return { hasValue, getValue: text, output: marshalJson(hasValue ? { name, value: text } : { name }) };
  },
  intorstring: ({ json }) => {
    const value = JSON.parse(json) as string | number | null;
    if (value !== null && typeof value !== "string" && typeof value !== "number") {
      throw new UserError("neither an integer nor a string");
    }
    return {
      valid: isIntOrString(value),
      string: value === null ? undefined : String(value),
      int32: intOrStringToInt32(value),
    };
  },
  quantity: ({ value }) => {
    const quantity = Quantity.parse(value);
    return {
      canonical: quantity.toString(),
      format: quantity.format,
      intValue: integerText(quantity.value()),
      milliValue: integerText(quantity.milliValue()),
      approxFloat: formatFloat(quantity.toNumber()),
      json: quoteJson(quantity.toString()),
    };
  },
  quantitycmp: (vector) => {
    const [a, b] = [Quantity.parse(vector.a as string), Quantity.parse(vector.b as string)];
    return { output: a.compare(b), sum: a.add(b).toString(), diff: a.subtract(b).toString() };
  },
  goduration: ({ value }) => {
    const duration = parseDuration(value);
    const seconds = formatFloat(durationSeconds(duration));
    return { output: integerText(duration), string: formatDuration(duration), seconds, sprint: seconds };
  },
  argoduration: ({ value }) => {
    const duration = parseArgoDuration(value);
    return { output: integerText(duration), string: formatDuration(duration) };
  },
  humanizeduration: ({ value }) => {
    const duration = parseDuration(value);
    return { output: humanizeDuration(duration), truncated: humanizeDuration(duration, true) };
  },
  strftime: ({ time, format }) => ({ output: strftime(parseTime(RFC3339, time), format) }),
  rfc3339: ({ time }) => {
    const parsed = parseTime(RFC3339, time);
    return {
      output: formatTime(parsed, RFC3339),
      unix: String(parsed.seconds),
      metav1json: quoteJson(formatTime(parsed.in(GoZone.UTC), RFC3339)),
    };
  },
};

function check(vector: Vector): void {
  let answers: Answers;
  try {
    const answer = ANSWERS[vector.kind];
    if (answer === undefined) throw new Error(`No notation is called ${vector.kind}`);
    answers = answer(vector);
  } catch (error) {
    if (!(error instanceof UserError) || vector.error === undefined) throw error;
    if (error instanceof DurationError || error instanceof QuantityError) assertEquals(error.message, vector.error);
    return;
  }
  assert(vector.error === undefined, `gave ${JSON.stringify(answers)}, expected failure: ${vector.error}`);
  for (const [field, answer] of Object.entries(answers)) {
    if (vector[field] !== undefined) assertEquals(answer, vector[field], field);
  }
}

export const NOTATIONS: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.keys(ANSWERS).map((kind) => [kind, check]),
);
