/** The tree of an expression. Every node has its position; the checker sets its type. */
import { type GoType, UNKNOWN, type Value } from "@tiphys/base/go";

interface Base {
  /** UTF-16 offset of the token that errors refer to. */
  readonly at: number;
  /** The type of the value, as far as the checker knows it. */
  type: GoType;
}

/** A literal or a value folded from literals. */
export interface Constant extends Base {
  readonly kind: "constant";
  readonly value: Value;
  /** Whether it is a list folded from literals. Such lists are shared and must not be modified. */
  readonly isFolded?: boolean;
}

export interface Identifier extends Base {
  readonly kind: "identifier";
  readonly name: string;
}

export type UnaryOperator = "!" | "not" | "-" | "+";

export interface Unary extends Base {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Node;
}

export interface Binary extends Base {
  readonly kind: "binary";
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
}

/** Splits a left-leaning chain of operators into its first operand and its operators, without recursion. */
export function chainOf(node: Binary): { readonly first: Node; readonly operators: readonly Binary[] } {
  const operators: Binary[] = [];
  let first: Node = node;
  while (first.kind === "binary") {
    operators.push(first);
    first = first.left;
  }
  return { first, operators: operators.reverse() };
}

/** `base.name`, `base[key]`, `base?.name`. */
export interface Member extends Base {
  readonly kind: "member";
  readonly base: Node;
  readonly property: Node;
  readonly optional: boolean;
  /** Whether it is called, so that errors call it a "method". */
  readonly isCalled: boolean;
}

/** The part of an expression that becomes nil when a `?.` in it is applied to nil. */
export interface Chain extends Base {
  readonly kind: "chain";
  readonly body: Node;
}

export interface Slice extends Base {
  readonly kind: "slice";
  readonly base: Node;
  readonly from: Node | undefined;
  readonly to: Node | undefined;
}

export interface Call extends Base {
  readonly kind: "call";
  readonly callee: Identifier | Member;
  readonly args: readonly Node[];
}

/** A call of a builtin, including those with predicates. */
export interface Builtin extends Base {
  readonly kind: "builtin";
  readonly name: string;
  readonly args: readonly Node[];
  /** For `filter(…)[0]`: the search fails if it finds nothing, instead of returning nil. */
  readonly mustFind?: boolean;
  /** For `count(…) > 3`: counting may stop at this number. */
  readonly stopAt?: bigint;
}

export interface Predicate extends Base {
  readonly kind: "predicate";
  readonly body: Node;
}

/** `#`, `#index`, `#acc`, and the implicit element before a leading dot. */
export interface Pointer extends Base {
  readonly kind: "pointer";
  readonly name: string;
}

export interface Let extends Base {
  readonly kind: "let";
  readonly name: string;
  readonly value: Node;
  readonly body: Node;
}

export interface Sequence extends Base {
  readonly kind: "sequence";
  readonly nodes: readonly Node[];
}

export interface Conditional extends Base {
  readonly kind: "conditional";
  readonly condition: Node;
  readonly then: Node;
  readonly otherwise: Node;
}

export interface List extends Base {
  readonly kind: "list";
  readonly items: readonly Node[];
}

export interface MapLiteral extends Base {
  readonly kind: "map";
  readonly pairs: readonly { readonly key: Node; readonly value: Node }[];
}

export type Node =
  | Constant
  | Identifier
  | Unary
  | Binary
  | Member
  | Chain
  | Slice
  | Call
  | Builtin
  | Predicate
  | Pointer
  | Let
  | Sequence
  | Conditional
  | List
  | MapLiteral;

/** The type before the check. */
export const UNCHECKED: GoType = UNKNOWN;

/** Returns the text of a constant string; undefined for other nodes. */
export function constantText(node: Node): string | undefined {
  return node.kind === "constant" && typeof node.value === "string" ? node.value : undefined;
}

/** Returns the nodes directly below a node, in source order. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case "constant":
    case "identifier":
    case "pointer":
      return [];
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "member":
      return [node.base, node.property];
    case "chain":
    case "predicate":
      return [node.body];
    case "slice":
      return [node.base, node.from, node.to].filter((child) => child !== undefined);
    case "call":
      return [node.callee, ...node.args];
    case "builtin":
      return node.args;
    case "let":
      return [node.value, node.body];
    case "sequence":
      return node.nodes;
    case "conditional":
      return [node.condition, node.then, node.otherwise];
    case "list":
      return node.items;
    case "map":
      return node.pairs.flatMap(({ key, value }) => [key, value]);
  }
}
