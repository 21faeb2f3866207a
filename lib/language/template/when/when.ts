/**
 * The language of `when`. It is smaller than the expression language: bare words are strings, all numbers are floats,
 * quoted dates are numbers, and nothing is converted to a boolean.
 */
import { TemplateError } from "../error.ts";
import { Budget, chargeRun, withBudget } from "../expr/budget.ts";
import { BudgetFailure } from "../expr/failure.ts";
import { metered, MeterError } from "../expr/meter.ts";
import type { SourceLocation } from "../place.ts";
import { evaluateNode, print, WhenError, type WhenValue } from "./evaluate.ts";
import { tokenize } from "./lexer.ts";
import { parseTokens } from "./parser.ts";
import { withPatterns } from "./pattern.ts";
import { checkOrder, type Token, type WhenLocation, WhenSyntaxError } from "./token.ts";

/**
 * Evaluates the `when` of a step or task, after its tags were filled in. An empty one is true.
 * @throws {TemplateError} with Argo's message when it cannot be parsed, has no value, or its value is not a boolean.
 */
export function evaluateWhen(when: string): boolean {
  return when === "" || withinBudget(when, () => evaluate(when));
}

/** Nanoseconds for reading and evaluating each character of a text. */
const CHARACTER_COST = 200;

/** Charges a text and the patterns in it to a new budget, under the current meter. */
function withinBudget<T>(when: string, evaluation: () => T): T {
  try {
    return metered(() =>
      withBudget(new Budget(), () => {
        chargeRun(when.length * CHARACTER_COST);
        return evaluation();
      })
    );
  } catch (error) {
    if (error instanceof MeterError) throw error.within(when);
    if (!(error instanceof BudgetFailure)) throw error;
    const place = { source: when, offset: 0 };
    throw new TemplateError(`Failed to evaluate 'when' expresion '${when}': ${error.message}`, { place, cause: error });
  }
}

function evaluate(when: string): boolean {
  const tokens = attempt(
    when,
    () => tokenize(when),
    (cause) => `Invalid 'when' expression '${when}': ${cause}${hint(cause)}`,
  );
  const words = tokens.map(bareWordAsString);
  const tree = attempt(when, () => {
    checkOrder(words);
    return parseTokens(withPatterns(words));
  }, (cause) => `Failed to parse 'when' expression '${when}': ${cause}`);
  const value = attempt(
    when,
    () => evaluateNode(tree),
    (cause) => `Failed to evaluate 'when' expresion '${when}': ${cause}`,
  );
  if (typeof value === "boolean") return value;
  throw notBoolean(when, value);
}

/** Evaluates a text in which bare words are unknown names and fail. */
export function evaluateStrictWhen(text: string): WhenValue {
  return withinBudget(text, () => attempt(text, () => evaluateNode(parseTokens(tokenize(text))), (cause) => cause));
}

/** Returns the error of a condition whose value is not a boolean. */
export function notBoolean(text: string, value: WhenValue): TemplateError {
  const place = { source: text, offset: 0, hint: "expected a comparison, or true or false without quotes" };
  return new TemplateError(`Expected boolean evaluation for '${text}'. Got ${print(value)}`, { place });
}

/**
 * Bare words become strings only after the text has been parsed with them as names. This is why `foo` is a string and
 * `!foo` is an error.
 */
function bareWordAsString(token: Token): Token {
  return token.kind === "VARIABLE" ? { ...token, kind: "STRING" } : token;
}

function hint(cause: string): string {
  return cause.startsWith("Invalid token") ? ' (hint: try wrapping the affected expression in quotes ("))' : "";
}

function attempt<T>(source: string, run: () => T, describe: (cause: string) => string): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof WhenSyntaxError || error instanceof WhenError)) throw error;
    throw new TemplateError(describe(error.message), { cause: error, place: placeIn(source, error.place) });
  }
}

/** Converts a position in characters to a place in UTF-16. */
function placeIn(source: string, place: WhenLocation | undefined): SourceLocation | undefined {
  if (place === undefined) return undefined;
  return { source, offset: [...source].slice(0, place.at).join("").length, hint: place.hint };
}
