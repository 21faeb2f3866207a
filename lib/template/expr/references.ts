/** The names an expression uses: loads what reads one, and nothing that runs it. */
import { parse } from "./parser.ts";
import { reading } from "./reading.ts";
import { children, constantText, type Member, type Node } from "./tree.ts";
import { type Position, positionOf } from "../place.ts";

/** A name or dotted path an expression uses (`steps.a.outputs`), every prefix of a path being one of its own. */
export interface Reference {
  readonly name: string;
  /**
   * Whether the expression copes with its absence: the path stands left of `??` or just before `?.` wherever it is used.
   * Names without a dot never do.
   */
  readonly optional: boolean;
  /** UTF-16 offset in the source. */
  readonly offset: number;
  /** The same in lines and columns, counted when it is read. */
  readonly position: Position;
}

/** The names an expression uses, without checking it; throws an ExpressionError where it does not parse. */
export function findReferences(source: string): Reference[] {
  return reading(source, () => referencesIn(parse(source), source));
}

/** Every identifier and every path of constant keys, in the order of first use. `let` names and `$env` count. */
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

/** A reference whose line is counted only when somebody asks for it. */
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

/** Visits the children before their parent, so a path follows its prefixes. */
function visit(node: Node, see: (node: Node) => void): void {
  const pending: { node: Node; opened: boolean }[] = [{ node, opened: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.opened) {
      see(next.node);
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
