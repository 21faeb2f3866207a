/** Builds the tree of a `when` text. All operators group to the left, exponents too. */
import { RE2JS } from "re2js";
import { LONGEST_PATTERN } from "../expr/regex.ts";
import { type Token, type TokenKind, WhenSyntaxError } from "./token.ts";

/** A `when` text as a tree. `nothing` stands where a parenthesis closed before its operand came. */
export type Node =
  & {
    /** Where its own token begins, in characters. */
    readonly at: number;
  }
  & (
    | { readonly kind: "literal"; readonly value: string | number | boolean }
    | { readonly kind: "pattern"; readonly pattern: RE2JS }
    | { readonly kind: "variable"; readonly name: string }
    | { readonly kind: "nothing" }
    | { readonly kind: "prefix"; readonly operator: string; readonly right: Node }
    | { readonly kind: "binary"; readonly operator: string; readonly left: Node; readonly right: Node }
  );

/** Operators by how loosely they bind, loosest first. */
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

/** Parentheses within parentheses; far beyond what people write, well within the stack. */
const MAX_DEPTH = 500;

/**
 * The tree of tokens whose order was checked. What follows a complete expression, as in `(true) (false)`, is ignored,
 * as in the peer. Throws a `WhenSyntaxError` for a broken pattern after `=~` or `!~`, or for absurd nesting.
 */
export function parseTokens(tokens: readonly Token[]): Node {
  return new Parser(withPatterns(tokens)).expression(0);
}

type Word = Token | { readonly kind: "REGEXP"; readonly pattern: RE2JS; readonly at: number };

/** Strings to the right of `=~` and `!~` are patterns, compiled wherever they stand in the text. */
function withPatterns(tokens: readonly Token[]): Word[] {
  return tokens.map((token, index) => {
    const before = tokens[index - 1];
    const matches = before?.kind === "COMPARATOR" && (before.value === "=~" || before.value === "!~");
    if (!matches || token.kind !== "STRING") return token;
    return { kind: "REGEXP", pattern: compilePattern(String(token.value), token.at), at: token.at };
  });
}

/** A pattern of RE2's syntax, which cannot blow up. Throws a `WhenSyntaxError` where it is broken or absurdly long. */
export function compilePattern(source: string, at: number): RE2JS {
  if (source.length > LONGEST_PATTERN) {
    throw new WhenSyntaxError(`Expected a pattern of at most ${LONGEST_PATTERN} characters`, { at });
  }
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WhenSyntaxError(reason, { at, hint: "expected a pattern of RE2's syntax" }, { cause: error });
  }
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly words: readonly Word[]) {}

  expression(level: number): Node {
    if (level === LEVELS.length) return this.operand();
    const { kind, operators } = LEVELS[level];
    let left = this.expression(level + 1);
    while (true) {
      const word = this.words[this.at];
      if (word?.kind !== kind || !operators.includes(String(word.value))) return left;
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
        return { kind: "variable", at, name: String(word.value).split(".")[0] };
      case "REGEXP":
        return { kind: "pattern", at, pattern: word.pattern };
      default:
        return { kind: "literal", at, value: word.value };
    }
  }

  /** The inside of parentheses, and then one word, which is the closing one unless two clauses stand side by side. */
  private clause(at: number): Node {
    if (++this.depth > MAX_DEPTH) throw new WhenSyntaxError(`Expected at most ${MAX_DEPTH} nested parentheses`, { at });
    const inside = this.expression(0);
    this.at++;
    this.depth--;
    return inside;
  }
}
