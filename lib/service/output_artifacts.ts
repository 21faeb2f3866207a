/** Selects output artifacts of a workflow. */
import type { Artifact, NodeStatus, Workflow } from "@tiphys/model/api";
import { templateNameOf } from "@tiphys/model/status";

/** The conditions for artifacts; an undefined field matches all. In a name, `*` matches any characters. */
export interface ArtifactQuery {
  readonly nodeId?: string | undefined;
  readonly templateName?: string | undefined;
  readonly artifactName?: string | undefined;
}

/** An output artifact and its node. */
export interface NodeArtifact {
  readonly node: NodeStatus;
  readonly artifact: Artifact;
}

/** Returns the output artifacts of a workflow's nodes, in the order of the nodes. */
export function outputArtifacts(workflow: Workflow, query: ArtifactQuery = {}): NodeArtifact[] {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  return nodes
    .filter(({ id }) => query.nodeId === undefined || id === query.nodeId)
    .filter((node) => query.templateName === undefined || isLike(templateNameOf(node), query.templateName))
    .flatMap((node) => (node.outputs?.artifacts ?? []).map((artifact) => ({ node, artifact })))
    .filter(({ artifact: { name } }) => query.artifactName === undefined || isLike(name, query.artifactName));
}

/** Whether a name matches a pattern. */
export function isLike(name: string, pattern: string): boolean {
  const [begin = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return name === pattern;
  if (!name.startsWith(begin) || !name.endsWith(end)) return false;
  let from = begin.length;
  for (const part of rest) {
    const index = name.indexOf(part, from);
    if (index < 0) return false;
    from = index + part.length;
  }
  return from <= name.length - end.length;
}
