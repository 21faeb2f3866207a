/**
 * The language of `when`: small, and not the expression language. Bare words are strings, all numbers are floats,
 * quoted dates are numbers, and nothing is converted to a boolean.
 */
import { TemplateError } from "../error.ts";
import { evaluateNode, print, WhenError, type WhenValue } from "./evaluate.ts";
import { tokenize } from "./lexer.ts";
import { parseTokens } from "./parser.ts";
import { checkOrder, type Token, WhenSyntaxError } from "./token.ts";

/**
 * The answer of a step's or task's `when`, whose tags were substituted before; an empty one is true. Throws a
 * `TemplateError`, worded as the peer's, where it cannot be read, has no value, or its value is not a boolean.
 */
export function evaluateWhen(when: string): boolean {
  if (when === "") return true;
  const tokens = attempt(
    () => tokenize(when),
    (cause) => `Invalid 'when' expression '${when}': ${cause}${hint(cause)}`,
  );
  const words = tokens.map(bareWordAsString);
  const tree = attempt(() => {
    checkOrder(words);
    return parseTokens(words);
  }, (cause) => `Failed to parse 'when' expression '${when}': ${cause}`);
  const value = attempt(() => evaluateNode(tree), (cause) => `Failed to evaluate 'when' expresion '${when}': ${cause}`);
  if (typeof value === "boolean") return value;
  throw new TemplateError(`Expected boolean evaluation for '${when}'. Got ${print(value)}`);
}

/** The value of a text of this language as it stands: bare words are unknown names and fail. */
export function evaluateStrictWhen(text: string): WhenValue {
  return attempt(() => evaluateNode(parseTokens(tokenize(text))), (cause) => cause);
}

/**
 * Bare words become strings only after the text was found well-formed as if they were names, which is why `foo` is a
 * string and `!foo` an error.
 */
function bareWordAsString(token: Token): Token {
  return token.kind === "VARIABLE" ? { kind: "STRING", value: token.value } : token;
}

function hint(cause: string): string {
  return cause.startsWith("Invalid token") ? ' (hint: try wrapping the affected expression in quotes ("))' : "";
}

function attempt<T>(run: () => T, describe: (cause: string) => string): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof WhenSyntaxError || error instanceof WhenError)) throw error;
    throw new TemplateError(describe(error.message), { cause: error });
  }
}
