/** The attempts of a Retry node. Its hooks are also among its children. */

/** The fields of a node by which its attempts are found. */
export interface AttemptHolder {
  readonly name?: string;
  readonly type?: string;
  readonly children?: readonly string[];
  readonly memoizationStatus?: { readonly hit?: boolean };
}

/** The fields of a child that distinguish attempts from hooks, and from nodes after the call. */
export interface AttemptChild {
  readonly name?: string;
  readonly nodeFlag?: { readonly hooked?: boolean; readonly retried?: boolean };
}

/** A map or table of nodes by ID. */
export interface NodeLookup<N> {
  get(id: string): N | undefined;
}

/**
 * Whether a child of a Retry node is one of its attempts. Statuses of Argo before 3.5 have no flags, so the name
 * decides.
 */
export function isAttempt({ name }: AttemptHolder, child: AttemptChild): boolean {
  if (child.nodeFlag) return child.nodeFlag.retried === true;
  return name !== undefined && child.name?.startsWith(`${name}(`) === true;
}

/**
 * Returns the attempts of a Retry node, first to last. Empty for any other node, such as a loop, whose items have
 * similar names.
 */
export function attemptsOf<N extends AttemptChild>(retryNode: AttemptHolder, nodes: NodeLookup<N>): N[] {
  const attempts: N[] = [];
  if (retryNode.type !== "Retry") return attempts;
  for (const id of retryNode.children ?? []) {
    const child = nodes.get(id);
    if (child && isAttempt(retryNode, child)) attempts.push(child);
  }
  return attempts;
}

/**
 * Returns the last attempt of a Retry node, whose phase and outputs count for it. Undefined for other nodes, for one
 * without an attempt, and for one that took its outputs from a cache.
 */
export function lastAttempt<N extends AttemptChild>(node: AttemptHolder, nodes: NodeLookup<N>): N | undefined {
  if (node.type !== "Retry" || node.memoizationStatus?.hit) return undefined;
  for (const id of node.children?.toReversed() ?? []) {
    const child = nodes.get(id);
    if (child && isAttempt(node, child)) return child;
  }
  return undefined;
}
