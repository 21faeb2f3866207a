/** The attempts of a Retry node. Beside them its hooks are among its children. */

/** The fields of a node by which its attempts are found. */
export interface AttemptHolder {
  readonly type?: string;
  readonly children?: readonly string[];
  readonly memoizationStatus?: { readonly hit?: boolean };
}

/** The fields of a child that tell attempts from hooks. */
export interface AttemptChild {
  readonly nodeFlag?: { readonly hooked?: boolean; readonly retried?: boolean };
}

/** Nodes, by ID: a map, or a table of nodes. */
export interface NodeLookup<N> {
  get(id: string): N | undefined;
}

/** The attempts of a Retry node, first to last. */
export function attemptsOf<N extends AttemptChild>(retryNode: AttemptHolder, nodes: NodeLookup<N>): N[] {
  const attempts: N[] = [];
  for (const id of retryNode.children ?? []) {
    const child = nodes.get(id);
    if (child?.nodeFlag?.retried) attempts.push(child);
  }
  return attempts;
}

/**
 * The node that speaks for a Retry node: its last attempt; where none says that it is one, as in statuses of Argo before
 * 3.5, its last child that is no hook. Undefined for other nodes, for one without an attempt, and for one that took its
 * outputs from a cache.
 */
export function lastAttempt<N extends AttemptChild>(node: AttemptHolder, nodes: NodeLookup<N>): N | undefined {
  if (node.type !== "Retry" || node.memoizationStatus?.hit) return undefined;
  let other: N | undefined;
  for (const id of node.children?.toReversed() ?? []) {
    const child = nodes.get(id);
    if (child?.nodeFlag?.retried) return child;
    if (!child?.nodeFlag?.hooked) other ??= child;
  }
  return other;
}
