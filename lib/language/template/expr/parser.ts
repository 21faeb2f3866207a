/** A precedence parser that turns text into a tree. */
import { parseDecimal, parseFloat64, parseInteger } from "@tiphys/base/go";
import { BUILTINS } from "./builtins/mod.ts";
import { PREDICATES } from "./builtins/predicates.ts";
import { ExpressionError } from "./error.ts";
import { Lexer, type Token, type TokenKind } from "./lexer.ts";
import { BINARY, COMPARISONS, NEGATABLE, UNARY } from "./precedence.ts";
import { type Node, UNCHECKED } from "./tree.ts";

/** Maximum number of nodes of an expression. */
export const MAX_NODES = 10_000;
/** Maximum depth of an expression, because the tree is walked recursively. */
export const MAX_DEPTH = 400;

/**
 * The options of the parser. `hidden` reports whether the environment has a name that hides the builtin of that name.
 */
export interface ParseOptions {
  readonly hidden?: (name: string) => boolean;
}

/**
 * Parses an expression.
 * @throws {ExpressionError} that names the unexpected and the expected token.
 */
export function parse(source: string, options: ParseOptions = {}): Node {
  return new Parser(source, options).parse();
}

type NodeOf<K extends Node["kind"]> = Extract<Node, { kind: K }>;

class Parser {
  private readonly lexer: Lexer;
  private current: Token;
  private peeked: Token | undefined;
  private nodes = 0;
  private depth = 0;
  private predicates = 0;

  constructor(private readonly source: string, private readonly options: ParseOptions) {
    this.lexer = new Lexer(source);
    this.current = this.lexer.next();
  }

  parse(): Node {
    const node = this.sequence();
    if (!this.is("EOF")) throw this.unexpected("an operator or the end");
    return node;
  }

  // Tokens

  private advance(): Token {
    const token = this.current;
    this.current = this.peeked ?? this.lexer.next();
    this.peeked = undefined;
    return token;
  }

  private peek(): Token {
    return this.peeked ??= this.lexer.next();
  }

  private is(kind: TokenKind, value?: string): boolean {
    return this.current.kind === kind && (value === undefined || this.current.value === value);
  }

  private accept(kind: TokenKind, value: string): boolean {
    if (!this.is(kind, value)) return false;
    this.advance();
    return true;
  }

  private expect(kind: TokenKind, value?: string): Token {
    if (!this.is(kind, value)) throw this.unexpected(value === undefined ? kind.toLowerCase() : `"${value}"`);
    return this.advance();
  }

  private unexpected(expected: string, token = this.current): ExpressionError {
    // Tools match on the whole message for an empty expression, so it has no hint.
    if (this.source === "") return this.error("unexpected token EOF", token.at);
    return this.error(`unexpected token ${describe(token)}`, token.at, `expected ${expected}`);
  }

  private error(reason: string, offset: number, hint?: string): ExpressionError {
    const place = this.source === "" ? undefined : offset;
    return new ExpressionError(reason, { source: this.source, offset: place, phase: "compile", hint });
  }

  private make<K extends Node["kind"]>(node: { kind: K } & Omit<NodeOf<K>, "type">): NodeOf<K> {
    if (++this.nodes > MAX_NODES) {
      throw this.error("compilation failed: expression exceeds maximum allowed nodes", this.current.at);
    }
    // deno-lint-ignore tiphys/no-double-cast -- the compiler cannot put a kind of node together from its fields
    return { ...node, type: UNCHECKED } as unknown as NodeOf<K>;
  }

  private nested<T>(parse: () => T): T {
    if (++this.depth > MAX_DEPTH) {
      throw this.error(`compilation failed: expression is nested deeper than ${MAX_DEPTH} levels`, this.current.at);
    }
    const node = parse();
    this.depth--;
    return node;
  }

  // Expressions, loosest first

  private sequence(): Node {
    const first = this.expression(0);
    const nodes = [first];
    while (this.accept("Operator", ";")) {
      if (this.is("EOF")) break;
      nodes.push(this.expression(0));
    }
    return nodes.length === 1 ? first : this.make({ kind: "sequence", at: first.at, nodes });
  }

  private expression(precedence: number): Node {
    return this.nested(() => {
      if (precedence > 0) return this.operators(precedence);
      if (this.is("Operator", "let")) return this.declaration();
      if (this.is("Operator", "if")) return this.ifElse();
      return this.ternary(this.operators(0));
    });
  }

  private operators(precedence: number): Node {
    let left = this.primary();
    let previous = "";
    while (this.current.kind === "Operator") {
      const negate = this.is("Operator", "not");
      const token = negate ? this.peek() : this.current;
      if (negate && !(token.kind === "Operator" && NEGATABLE.has(token.value))) {
        throw this.unexpected("in, matches, contains, startsWith or endsWith", token);
      }
      const operator = BINARY.get(token.value);
      if (operator === undefined || operator.precedence < precedence) break;
      if (negate) this.advance();
      this.advance();
      if (token.value === "|") left = this.pipe(left);
      else {
        if (previous === "??" && token.value !== "??") {
          const reason =
            `Operator (${token.value}) and coalesce expressions (??) cannot be mixed. Wrap either by parentheses.`;
          throw this.error(reason, token.at);
        }
        if (COMPARISONS.has(token.value)) left = this.comparison(left, token, operator.precedence);
        else {
          const right = this.expression(operator.precedence + (operator.rightAssociative ? 0 : 1));
          left = this.make({ kind: "binary", at: token.at, operator: token.value, left, right });
          if (negate) left = this.make({ kind: "unary", at: token.at, operator: "not", operand: left });
        }
      }
      previous = token.value;
    }
    return left;
  }

  /** Parses a chained comparison: `a < b < c` is `a < b && b < c`. */
  private comparison(left: Node, first: Token, precedence: number): Node {
    let token = first;
    let whole: Node | undefined;
    for (;;) {
      const right = this.expression(precedence + 1);
      const pair: Node = this.make({ kind: "binary", at: token.at, operator: token.value, left, right });
      whole = whole === undefined
        ? pair
        : this.make({ kind: "binary", at: token.at, operator: "&&", left: whole, right: pair });
      if (!(this.current.kind === "Operator" && COMPARISONS.has(this.current.value))) return whole;
      left = right;
      token = this.advance();
    }
  }

  private pipe(left: Node): Node {
    const name = this.expect("Identifier");
    return this.call(name, [left]);
  }

  private ternary(condition: Node): Node {
    let node = condition;
    while (this.accept("Operator", "?")) {
      const short = this.accept("Operator", ":");
      const then = short ? node : this.expression(0);
      if (!short) this.expect("Operator", ":");
      const otherwise = this.expression(0);
      node = this.make({ kind: "conditional", at: this.current.at, condition: node, then, otherwise });
    }
    return node;
  }

  private declaration(): Node {
    this.advance();
    const name = this.expect("Identifier");
    this.expect("Operator", "=");
    const value = this.expression(0);
    this.expect("Operator", ";");
    const body = this.sequence();
    return this.make({ kind: "let", at: name.at, name: name.value, value, body });
  }

  private ifElse(): Node {
    const { at } = this.advance();
    const condition = this.expression(0);
    const then = this.block();
    this.expect("Operator", "else");
    const otherwise = this.is("Operator", "if") ? this.nested(() => this.ifElse()) : this.block();
    return this.make({ kind: "conditional", at, condition, then, otherwise });
  }

  private block(): Node {
    this.expect("Bracket", "{");
    const node = this.sequence();
    this.expect("Bracket", "}");
    return node;
  }

  // Operands

  private primary(): Node {
    const token = this.current;
    if (token.kind === "Operator") {
      const precedence = UNARY.get(token.value);
      if (precedence !== undefined) {
        this.advance();
        const operand = this.expression(precedence);
        const operator = token.value as "!" | "not" | "-" | "+";
        return this.postfix(this.make({ kind: "unary", at: token.at, operator, operand }));
      }
      if (this.predicates > 0 && (token.value === "#" || token.value === ".")) return this.pointer();
      if (this.accept("Operator", "::")) return this.postfix(this.call(this.expect("Identifier"), [], true));
    }
    if (this.accept("Bracket", "(")) {
      const node = this.sequence();
      this.expect("Bracket", ")");
      return this.postfix(node);
    }
    return this.operand();
  }

  private pointer(): Node {
    const { at } = this.current;
    const hash = this.accept("Operator", "#");
    const name = hash && this.is("Identifier") ? this.advance().value : "";
    return this.postfix(this.make({ kind: "pointer", at, name }));
  }

  private operand(): Node {
    const token = this.current;
    switch (token.kind) {
      case "Identifier":
        return this.name();
      case "Number":
        this.advance();
        return this.number(token);
      case "String":
        this.advance();
        return this.postfix(this.make({ kind: "constant", at: token.at, value: token.value }));
      case "Bytes": {
        this.advance();
        const value = Uint8Array.from(token.value, (character) => character.charCodeAt(0));
        return this.postfix(this.make({ kind: "constant", at: token.at, value }));
      }
      case "Bracket":
        if (token.value === "[") return this.postfix(this.list());
        if (token.value === "{") return this.postfix(this.map());
    }
    throw this.unexpected("a value");
  }

  private name(): Node {
    const token = this.advance();
    const { at, value } = token;
    if (value === "true" || value === "false") return this.make({ kind: "constant", at, value: value === "true" });
    if (value === "nil") return this.make({ kind: "constant", at, value: null });
    if (this.is("Bracket", "(")) return this.postfix(this.call(token, []));
    return this.postfix(this.make({ kind: "identifier", at, name: value }));
  }

  private number(token: Token): Node {
    const text = token.value.replaceAll("_", "");
    const lower = text.toLowerCase();
    const based = /^0[xob]/.test(lower);
    const isFloat = !lower.startsWith("0x") && /[.e]/.test(lower);
    const kind = { "0x": "hex", "0b": "binary", "0o": "octal" }[lower.slice(0, 2)] ?? (isFloat ? "float" : "integer");
    const result = isFloat ? parseFloat64(text) : based ? parseInteger(text) : parseDecimal(text);
    if (!result.ok) {
      const fault = result.fault === "range" ? "value out of range" : "invalid syntax";
      const parser = isFloat ? "ParseFloat" : "ParseInt";
      throw this.error(
        `invalid ${isFloat ? "float" : kind} literal: strconv.${parser}: parsing "${text}": ${fault}`,
        this.current.at,
        result.fault === "range" && !isFloat ? "integers have 64 bits; write a float to go beyond" : undefined,
      );
    }
    return this.make({ kind: "constant", at: token.at, value: result.value });
  }

  private list(): Node {
    const { at } = this.expect("Bracket", "[");
    const items: Node[] = [];
    while (!this.is("Bracket", "]")) {
      if (items.length > 0) {
        this.expect("Operator", ",");
        if (this.is("Bracket", "]")) break;
      }
      items.push(this.expression(0));
    }
    this.expect("Bracket", "]");
    return this.make({ kind: "list", at, items });
  }

  private map(): Node {
    const { at } = this.expect("Bracket", "{");
    const pairs: { key: Node; value: Node }[] = [];
    while (!this.is("Bracket", "}")) {
      if (pairs.length > 0) {
        this.expect("Operator", ",");
        if (this.is("Bracket", "}")) break;
        if (this.is("Operator", ",")) throw this.unexpected('a key or "}"');
      }
      const key = this.key();
      this.expect("Operator", ":");
      pairs.push({ key, value: this.expression(0) });
      this.nodes++;
    }
    this.expect("Bracket", "}");
    return this.make({ kind: "map", at, pairs });
  }

  private key(): Node {
    const { kind, at, value } = this.current;
    if (kind === "Number" || kind === "String" || kind === "Identifier") {
      this.advance();
      return this.make({ kind: "constant", at, value });
    }
    if (this.is("Bracket", "(")) return this.expression(0);
    throw this.error(
      "a map key must be a quoted string, a number, a identifier, or an expression enclosed in parentheses " +
        `(unexpected token ${describe(this.current)})`,
      at,
    );
  }

  // Calls

  private call(name: Token, piped: readonly Node[], builtin = false): Node {
    const hidden = !builtin && (this.options.hidden?.(name.value) ?? false);
    const { at, value } = name;
    if (!hidden && PREDICATES.has(value)) {
      return this.make({ kind: "builtin", at, name: value, args: this.predicateArguments(value, piped) });
    }
    if (!hidden && BUILTINS.has(value)) {
      return this.make({ kind: "builtin", at, name: value, args: this.arguments(piped) });
    }
    const callee = this.make({ kind: "identifier", at, name: value });
    return this.make({ kind: "call", at, callee, args: this.arguments(piped) });
  }

  private arguments(piped: readonly Node[]): Node[] {
    const args = [...piped];
    this.expect("Bracket", "(");
    while (!this.is("Bracket", ")")) {
      if (args.length > piped.length) {
        this.expect("Operator", ",");
        if (this.is("Bracket", ")")) break;
      }
      args.push(this.expression(0));
    }
    this.expect("Bracket", ")");
    return args;
  }

  private predicateArguments(name: string, piped: readonly Node[]): Node[] {
    const args = [...piped];
    this.expect("Bracket", "(");
    const wanted = PREDICATES.get(name)!.slice(piped.length);
    for (const [i, parameter] of wanted.entries()) {
      const done = this.is("Bracket", ")");
      if (done && parameter.optional) break;
      if (done) throw this.error(`expected at least ${wanted.length} arguments`, this.current.at);
      if (i > 0) this.expect("Operator", ",");
      args.push(parameter.kind === "predicate" ? this.predicate() : this.expression(0));
    }
    this.accept("Operator", ",");
    this.expect("Bracket", ")");
    return args;
  }

  private predicate(): Node {
    const { at } = this.current;
    const braces = this.accept("Bracket", "{");
    this.predicates++;
    const body = braces ? this.sequence() : this.expression(0);
    if (!braces && this.is("Operator", ";")) {
      throw this.error("wrap predicate with brackets { and }", this.current.at);
    }
    this.predicates--;
    if (braces) this.expect("Bracket", "}");
    return this.make({ kind: "predicate", at, body });
  }

  // Members, indexes, calls and pipes that may follow an operand

  private postfix(operand: Node): Node {
    let node = operand;
    for (;;) {
      if (this.is("Operator", ".") || this.is("Operator", "?.")) {
        const optional = this.advance().value === "?.";
        node = optional && this.is("Bracket", "[") ? this.index(node, true) : this.property(node, optional);
      } else if (this.is("Bracket", "[")) node = this.index(node, false);
      else return node;
    }
  }

  private property(base: Node, optional: boolean): Node {
    const name = this.current;
    if (name.kind === "EOF") throw this.error("unexpected end of expression", name.at, "expected a name");
    this.advance();
    const named = name.kind === "Identifier" || (name.kind === "Operator" && /^[a-zA-Z]+$/.test(name.value));
    if (!named) throw this.error("expected name", this.current.at, `found ${describe(name)}`);
    const chained = base.kind === "chain";
    const member = this.make({
      kind: "member",
      at: name.at,
      base: chained ? base.body : base,
      property: this.make({ kind: "constant", at: name.at, value: name.value }),
      optional,
      isCalled: this.is("Bracket", "("),
    });
    const node: Node = member.isCalled
      ? this.make({ kind: "call", at: name.at, callee: member, args: this.arguments([]) })
      : member;
    return chained || optional ? this.make({ kind: "chain", at: name.at, body: node }) : node;
  }

  private index(base: Node, optional: boolean): Node {
    const { at } = this.expect("Bracket", "[");
    const from = this.is("Operator", ":") ? undefined : this.expression(0);
    if (this.accept("Operator", ":")) {
      const to = this.is("Bracket", "]") ? undefined : this.expression(0);
      this.expect("Bracket", "]");
      return this.make({ kind: "slice", at, base, from, to });
    }
    this.expect("Bracket", "]");
    const member: Node = this.make({ kind: "member", at, base, property: from!, optional, isCalled: false });
    return optional ? this.make({ kind: "chain", at, body: member }) : member;
  }
}

function describe(token: Token): string {
  return token.value === "" ? token.kind : `${token.kind}(${JSON.stringify(token.value)})`;
}
