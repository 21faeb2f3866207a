/** The names that an expression uses. Loads the parser, but nothing that runs expressions. */
import { parse } from "./parser.ts";
import { withParseBudget } from "./parse_budget.ts";
import { children, constantText, type Member, type Node } from "./tree.ts";
import { type Position, positionOf } from "../place.ts";

/**
 * A name or dotted path that an expression uses (`steps.a.outputs`). Every prefix of a path is a separate reference.
 */
export interface Reference {
  readonly name: string;
  /**
   * Whether the expression handles its absence: the path is left of `??` or directly before `?.` in every use. Never
   * true for a name without a dot.
   */
  readonly optional: boolean;
  /** UTF-16 offset in the source. */
  readonly offset: number;
  /** The offset as line and column, computed on first access. */
  readonly position: Position;
}

/**
 * Returns the names that an expression uses, without checking it.
 * @throws {ExpressionError} if it does not parse.
 */
export function findReferences(source: string): Reference[] {
  return withParseBudget(source, () => referencesIn(parse(source), source));
}

/**
 * Returns every identifier and every path of constant keys, in the order of first use, including `let` names and
 * `$env`.
 */
export function referencesIn(tree: Node, source: string): Reference[] {
  const guarded = new Set<Node>();
  visit(tree, (node) => {
    if (node.kind === "binary" && node.operator === "??") {
      visit(node.left, (below) => {
        if (below.kind === "member") guarded.add(below);
      });
    }
    if (node.kind === "member" && node.optional && node.base.kind === "member") guarded.add(node.base);
  });
  const found = new Map<string, Reference>();
  visit(tree, (node) => {
    const name = node.kind === "identifier" ? node.name : node.kind === "member" ? pathOf(node) : undefined;
    if (name === undefined) return;
    const optional = guarded.has(node);
    const known = found.get(name);
    if (known === undefined) found.set(name, referenceAt(name, optional, node.at, source));
    else if (known.optional && !optional) found.set(name, referenceAt(name, optional, known.offset, source));
  });
  return [...found.values()];
}

/** Makes a reference whose position is computed on first access. */
function referenceAt(name: string, optional: boolean, offset: number, source: string) {
  return {
    name,
    optional,
    offset,
    get position() {
      return positionOf(source, offset);
    },
  };
}

/** Visits the children before their parent, so that a path follows its prefixes. */
function visit(node: Node, visitor: (node: Node) => void): void {
  const pending: { node: Node; opened: boolean }[] = [{ node, opened: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.opened) {
      visitor(next.node);
      continue;
    }
    pending.push({ node: next.node, opened: true });
    for (const child of children(next.node).toReversed()) pending.push({ node: child, opened: false });
  }
}

function pathOf(member: Member): string | undefined {
  const names: string[] = [];
  let node: Node = member;
  while (node.kind === "member") {
    const name = constantText(node.property);
    if (name === undefined || node.optional) return undefined;
    names.unshift(name);
    node = node.base;
  }
  return node.kind === "identifier" ? [node.name, ...names].join(".") : undefined;
}
