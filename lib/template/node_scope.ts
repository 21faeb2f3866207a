/** What a node offers to later steps and tasks. */

/** What is read of a node. */
export interface ScopeNode {
  readonly id: string;
  readonly type?: string;
  readonly phase?: string;
  readonly podIP?: string;
  readonly hostNodeName?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly children?: readonly string[];
  readonly nodeFlag?: { readonly hooked?: boolean };
  readonly memoizationStatus?: { readonly hit?: boolean };
  readonly outputs?: {
    readonly result?: string;
    readonly exitCode?: string;
    readonly parameters?: readonly { readonly name: string; readonly value?: string }[];
    readonly artifacts?: readonly { readonly name: string }[];
  };
}

/** Where nodes are looked up. */
export interface NodeLookup<N> {
  get(id: string): N | undefined;
}

/** The last attempt of a Retry node, undefined when there is none. Hooks among its children are no attempts. */
export function lastAttempt<N extends ScopeNode>(node: ScopeNode, nodes: NodeLookup<N>): N | undefined {
  for (const id of node.children?.toReversed() ?? []) {
    const child = nodes.get(id);
    if (child && !child.nodeFlag?.hooked) return child;
  }
  return undefined;
}

/**
 * The texts a node offers under `prefix` (`steps.a`); what is empty is not offered. A Retry node lends its last attempt,
 * unless it took its outputs from a cache. Artifacts are no texts: their names are in `artifacts`.
 */
export function nodeScope(
  prefix: string,
  holder: ScopeNode,
  nodes: NodeLookup<ScopeNode>,
): { values: Map<string, string>; artifacts: Map<string, { readonly name: string }> } {
  const hasAttempts = holder.type === "Retry" && !holder.memoizationStatus?.hit;
  const node = hasAttempts ? lastAttempt(holder, nodes) ?? holder : holder;
  const { outputs } = node;
  const facts: Record<string, string | undefined> = {
    id: node.id,
    startedAt: node.startedAt,
    finishedAt: node.finishedAt,
    ip: node.podIP,
    status: node.phase,
    hostNodeName: node.hostNodeName,
  };
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(facts)) if (value) values.set(`${prefix}.${key}`, value);
  if (outputs?.result !== undefined) values.set(`${prefix}.outputs.result`, outputs.result);
  if (outputs?.exitCode !== undefined) values.set(`${prefix}.exitCode`, outputs.exitCode);
  for (const { name, value } of outputs?.parameters ?? []) {
    if (value !== undefined) values.set(`${prefix}.outputs.parameters.${name}`, value);
  }
  const artifacts = outputs?.artifacts?.map((artifact) =>
    [`${prefix}.outputs.artifacts.${artifact.name}`, artifact] as const
  );
  return { values, artifacts: new Map(artifacts) };
}
