/** The five fields of a cron schedule, each parsed into the set of numbers that it allows. */
import { UserError } from "@tiphys/base/user_error";
import { parseDecimal } from "@tiphys/base/go/number";
import { quote } from "@tiphys/base/go/quote";
import { toLower } from "@tiphys/base/go/text";
import { messageWithCaret, type SourceLocation } from "../place.ts";

/** Error for a schedule that cannot be parsed. */
export class CronError extends UserError {
  override readonly name = "CronError";
  /** The position in the schedule, if known. The message then shows it. */
  readonly place: SourceLocation | undefined;

  /** @param reason in Argo's words; the message begins with it. */
  constructor(readonly reason: string, options: { readonly cause?: unknown; readonly place?: SourceLocation } = {}) {
    super(options.place === undefined ? reason : messageWithCaret(reason, options.place), { cause: options.cause });
    this.place = options.place;
  }
}

/** The minimum and maximum of a field, and the names that may replace numbers. */
export interface FieldRule {
  /** The field's name in messages. */
  readonly field: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** The numbers that a field allows. */
export interface Field {
  readonly allowed: ReadonlySet<number>;
  /** Whether the field is `*` or `?`. If one of the two day fields is open, only the other one counts. */
  readonly open: boolean;
}

/**
 * Parses a field: numbers, names, ranges and steps, separated by commas.
 * @throws {CronError}
 */
export function parseField(text: string, rule: FieldRule): Field {
  const allowed = new Set<number>();
  let isWildcard = false;
  for (const part of text.split(",").filter((part) => part !== "")) {
    const range = parseRange(part, rule);
    isWildcard ||= range.open;
    for (let value = range.from; value <= range.to; value += range.step) allowed.add(value);
  }
  return { allowed, open: isWildcard };
}

/** Describes the accepted values of a field for a message. */
export function acceptedValues({ field, min, max, names }: FieldRule): string {
  const words = names === undefined ? "" : ` or ${names[0]}-${names.at(-1)}`;
  return `the ${field} takes numbers ${min}-${max}${words}, lists a,b, ranges a-b and steps */n`;
}

function parseRange(text: string, rule: FieldRule): { from: number; to: number; step: number; open: boolean } {
  const [bounds = "", stepText, ...slashes] = text.split("/");
  const [low = "", high, ...hyphens] = bounds.split("-");
  const any = low === "*" || low === "?";
  if (!any && hyphens.length > 0) throw new CronError(`too many hyphens: ${text}`);
  if (slashes.length > 0) throw new CronError(`too many slashes: ${text}`);
  const from = any ? rule.min : parseBound(low, rule);
  let to = any ? rule.max : high === undefined ? from : parseBound(high, rule);
  let step = 1;
  if (stepText !== undefined) {
    step = parseNumber(stepText);
    if (high === undefined) to = rule.max;
  }
  checkRange({ text, from, to, step }, rule);
  return { from, to, step, open: any && step === 1 };
}

function checkRange(range: { text: string; from: number; to: number; step: number }, rule: FieldRule): void {
  const { text, from, to, step } = range;
  if (from < rule.min) throw new CronError(`beginning of range (${from}) below minimum (${rule.min}): ${text}`);
  if (to > rule.max) throw new CronError(`end of range (${to}) above maximum (${rule.max}): ${text}`);
  if (from > to) throw new CronError(`beginning of range (${from}) beyond end of range (${to}): ${text}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${text}`);
}

function parseBound(text: string, rule: FieldRule): number {
  const index = rule.names?.indexOf(toLower(text)) ?? -1;
  return index >= 0 ? rule.min + index : parseNumber(text);
}

function parseNumber(text: string): number {
  const number = parseDecimal(text);
  if (!number.ok) {
    const fault = number.fault === "syntax" ? "invalid syntax" : "value out of range";
    throw new CronError(`failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: ${fault}`);
  }
  if (number.value < 0n) throw new CronError(`negative number (${number.value}) not allowed: ${text}`);
  return Number(number.value);
}
