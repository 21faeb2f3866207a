/** Label selectors in text form, parsed exactly as Kubernetes does. */
import { LIMITS } from "../limits.ts";
import { UserError } from "../user_error.ts";
import { parseDecimal } from "../go/number.ts";
import { quote } from "../go/quote.ts";
import { compareText } from "../go/text.ts";
import { labelValueErrors, qualifiedNameErrors } from "./label_rules.ts";
import { isMark, type SelectorToken, tokenizeSelector } from "./lexer.ts";

/** The operator of a requirement, as it is written. */
export type SelectorOperator = "=" | "==" | "!=" | ">" | "<" | "in" | "notin" | "exists" | "!";

/** One requirement. An object must meet all requirements of a selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
}

/** Error for a selector that cannot be parsed. */
export class SelectorError extends UserError {
  override readonly name = "SelectorError";
}

/**
 * Parses a selector into requirements, sorted by key.
 * @throws {SelectorError}
 */
export function parseRequirements(text: string): Requirement[] {
  const requirements = new Parser(tokenizeSelector(text)).requirements();
  checkRequirements(requirements);
  return requirements.sort((a, b) => compareText(a.key, b.key));
}

/**
 * Checks the number of requirements, because every one is compared with every object.
 * @throws {SelectorError}
 */
export function checkRequirements({ length }: readonly unknown[]): void {
  const excess = tooManyRequirements(length);
  if (excess !== undefined) throw new SelectorError(excess);
}

/** Returns the message for a selector with too many requirements. */
export function tooManyRequirements(count: number): string | undefined {
  if (count <= LIMITS.requirements) return undefined;
  return `the selector has ${count} requirements, more than the limit of ${LIMITS.requirements}`;
}

/** Reports whether labels meet a requirement. `label` returns a label's value, or undefined. */
export function meetsRequirement(
  { key, operator, values }: Requirement,
  label: (key: string) => string | undefined,
): boolean {
  const value = label(key);
  switch (operator) {
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case ">":
    case "<":
      return value !== undefined && isOrdered(operator, value, values[0] ?? "");
  }
}

function isOrdered(operator: ">" | "<", text: string, bound: string): boolean {
  const value = parseDecimal(text);
  const limit = parseDecimal(bound);
  if (!value.ok || !limit.ok) return false;
  return operator === ">" ? value.value > limit.value : value.value < limit.value;
}

/** Formats a selector as Kubernetes does. */
export function printRequirements(requirements: readonly Requirement[]): string {
  return requirements.map(({ key, operator, values }) => {
    switch (operator) {
      case "exists":
        return key;
      case "!":
        return `!${key}`;
      case "in":
      case "notin":
        return `${key} ${operator} (${values.join(",")})`;
      default:
        return `${key}${operator}${values[0]}`;
    }
  }).join(",");
}

/** The token after the last one. */
const END: SelectorToken = { kind: "end", text: "" };

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly SelectorToken[]) {}

  requirements(): Requirement[] {
    const found: Requirement[] = [];
    while (this.peek().kind !== "end") {
      if (!this.startsRequirement()) this.unexpected(", expected: !, identifier, or 'end of string'");
      found.push(this.described());
      if (this.peek().kind === "end") break;
      if (!isMark(this.peek(), ",")) this.unexpected(", expected: ',' or 'end of string'");
      this.at++;
      if (!this.startsRequirement()) this.unexpected(", expected: identifier after ','");
    }
    return found;
  }

  private described(): Requirement {
    try {
      return this.requirement();
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
  }

  private requirement(): Requirement {
    const absent = isMark(this.peek(), "!");
    if (absent) this.at++;
    if (this.peek().kind !== "word") this.unexpected(", expected: identifier");
    const key = this.take();
    checkKey(key);
    if (absent) return { key, operator: "!", values: [] };
    if (this.peek().kind === "end" || isMark(this.peek(), ",")) return { key, operator: "exists", values: [] };
    const operator = this.operator();
    const values = operator === "in" || operator === "notin" ? this.set() : [this.exactValue()];
    checkValues(key, operator, values);
    return { key, operator, values };
  }

  private operator(): SelectorOperator {
    const { kind, text } = this.peek();
    const isOperator = kind === "word"
      ? ["in", "notin"].includes(text)
      : isMark(this.peek(), "=", "==", "!=", ">", "<");
    if (!isOperator) this.unexpected(", expected: in, notin, =, ==, !=, gt, lt");
    return this.take() as SelectorOperator;
  }

  private exactValue(): string {
    if (this.peek().kind === "end" || isMark(this.peek(), ",")) return "";
    if (this.peek().kind !== "word") this.unexpected(", expected: identifier");
    return this.take();
  }

  /** Parses values in parentheses. An omitted value is the empty value. */
  private set(): string[] {
    if (!isMark(this.peek(), "(")) this.unexpected(" expected: '('");
    this.at++;
    const values = new Set<string>();
    const begins = this.peek().kind === "word" || isMark(this.peek(), ",", ")");
    if (!begins) this.unexpected(", expected: ',', ')' or identifier");
    while (true) {
      values.add(this.peek().kind === "word" ? this.take() : "");
      if (isMark(this.peek(), ")")) break;
      if (!isMark(this.peek(), ",")) this.unexpected(", expected: ',' or ')'");
      this.at++;
    }
    this.at++;
    return [...values].sort(compareText);
  }

  private startsRequirement(): boolean {
    return this.peek().kind === "word" || isMark(this.peek(), "!");
  }

  private peek(): SelectorToken {
    return this.tokens[this.at] ?? END;
  }

  private take(): string {
    const { text } = this.peek();
    this.at++;
    return text;
  }

  private unexpected(expected: string): never {
    throw new SelectorError(`found '${this.peek().text}'${expected}`);
  }
}

function checkKey(key: string): void {
  const errors = qualifiedNameErrors(key);
  if (errors.length > 0) throw new SelectorError(`<nil>: Invalid value: ${quote(key)}: ${errors.join("; ")}`);
}

/** @throws all errors at once; several errors are in brackets. */
function checkValues(key: string, operator: SelectorOperator, values: readonly string[]): void {
  const complaints: string[] = [];
  const [bound = ""] = values;
  if ((operator === ">" || operator === "<") && !parseDecimal(bound).ok) {
    complaints.push(
      `values[0]: Invalid value: ${quote(bound)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  values.forEach((value, index) => {
    const errors = labelValueErrors(value);
    if (errors.length === 0) return;
    complaints.push(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${errors.join("; ")}`);
  });
  if (complaints.length === 0) return;
  throw new SelectorError(complaints.length === 1 ? complaints[0] : `[${complaints.join(", ")}]`);
}
