/** Builds the tree of a `when` text. All operators are left-associative, including exponents. */
import type { Regex } from "../expr/regex.ts";
import { GoTime } from "@tiphys/base/go/time";
import { type Token, type TokenKind, WhenSyntaxError } from "./token.ts";

/** A `when` text as a tree. `nothing` is the operand of parentheses that were closed before their operand. */
export type Node =
  & {
    /** The position, in characters, at which its token begins. */
    readonly at: number;
  }
  & (
    | { readonly kind: "literal"; readonly value: string | number | boolean }
    | { readonly kind: "pattern"; readonly pattern: Regex }
    | { readonly kind: "variable"; readonly name: string }
    | { readonly kind: "nothing" }
    | { readonly kind: "prefix"; readonly operator: string; readonly right: Node }
    | { readonly kind: "binary"; readonly operator: string; readonly left: Node; readonly right: Node }
  );

/** Operators by precedence, lowest first. */
const LEVELS: readonly { readonly kind: TokenKind; readonly operators: readonly string[] }[] = [
  { kind: "SEPARATOR", operators: [","] },
  { kind: "TERNARY", operators: ["?", ":", "??"] },
  { kind: "LOGICALOP", operators: ["||"] },
  { kind: "LOGICALOP", operators: ["&&"] },
  { kind: "COMPARATOR", operators: ["==", "!=", ">", ">=", "<", "<=", "=~", "!~", "in"] },
  { kind: "MODIFIER", operators: ["&", "|", "^"] },
  { kind: "MODIFIER", operators: ["<<", ">>"] },
  { kind: "MODIFIER", operators: ["+", "-"] },
  { kind: "MODIFIER", operators: ["*", "/", "%"] },
  { kind: "MODIFIER", operators: ["**"] },
];

/** Maximum depth of parentheses: far more than people write, and well within the stack. */
const MAX_DEPTH = 500;

/**
 * Builds the tree of tokens in a valid order. Tokens after a complete expression, as in `(true) (false)`, are ignored,
 * as in Argo Workflows.
 * @throws {WhenSyntaxError} for extreme nesting.
 */
export function parseTokens(tokens: readonly Token[]): Node {
  return new Parser(tokens).expression(0);
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly words: readonly Token[]) {}

  expression(level: number): Node {
    const rung = LEVELS[level];
    if (rung === undefined) return this.operand();
    const { kind, operators } = rung;
    let left = this.expression(level + 1);
    while (true) {
      const word = this.words[this.at];
      if (word === undefined || word.kind !== kind || !operators.includes(String(word.value))) return left;
      this.at++;
      left = { kind: "binary", at: word.at, operator: String(word.value), left, right: this.expression(level + 1) };
    }
  }

  private operand(): Node {
    const word = this.words[this.at];
    if (word === undefined || word.kind === "CLAUSE_CLOSE") return { kind: "nothing", at: word?.at ?? 0 };
    const { at } = word;
    this.at++;
    switch (word.kind) {
      case "CLAUSE":
        return this.clause(at);
      case "PREFIX":
        return { kind: "prefix", at, operator: String(word.value), right: this.operand() };
      case "VARIABLE":
        return { kind: "variable", at, name: String(word.value) };
      case "ACCESSOR":
        return { kind: "variable", at, name: String(word.value).replace(/\..*/s, "") };
      default:
        return operandOf(word);
    }
  }

  /**
   * Parses the inside of parentheses and one more token: the closing parenthesis, unless two clauses follow each other.
   */
  private clause(offset: number): Node {
    if (++this.depth > MAX_DEPTH) {
      throw new WhenSyntaxError(`Expected at most ${MAX_DEPTH} nested parentheses`, { at: offset });
    }
    const inside = this.expression(0);
    this.at++;
    this.depth--;
    return inside;
  }
}

function operandOf({ at, value }: Token): Node {
  if (value instanceof GoTime) return { kind: "literal", at, value: value.seconds };
  return typeof value === "object" ? { kind: "pattern", at, pattern: value } : { kind: "literal", at, value };
}
