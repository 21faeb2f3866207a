/** The values of a node that later steps and tasks can refer to. */
import { lastAttempt, type NodeLookup } from "@tiphys/model/status";

/** The fields of a node that this module reads. */
export interface ScopeNode {
  readonly id: string;
  readonly name?: string;
  readonly type?: string;
  readonly phase?: string;
  readonly podIP?: string;
  readonly hostNodeName?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly children?: readonly string[];
  readonly nodeFlag?: { readonly hooked?: boolean; readonly retried?: boolean };
  readonly memoizationStatus?: { readonly hit?: boolean };
  readonly outputs?: {
    readonly result?: string;
    readonly exitCode?: string;
    readonly parameters?: readonly { readonly name: string; readonly value?: string }[];
    readonly artifacts?: readonly { readonly name: string }[];
  };
}

/**
 * Returns the values of a node under `prefix` (`steps.a`), without empty ones. A Retry node has the values of its last
 * attempt, unless it took its outputs from a cache. Artifacts are not values: their names are in `artifacts`.
 */
export function nodeScope(
  prefix: string,
  holder: ScopeNode,
  nodes: NodeLookup<ScopeNode>,
): { values: Map<string, string>; artifacts: Map<string, { readonly name: string }> } {
  const node = lastAttempt(holder, nodes) ?? holder;
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
