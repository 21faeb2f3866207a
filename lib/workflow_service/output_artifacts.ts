/** Output artifacts of a workflow: which there are, and which of them are meant. */
import type { Artifact, NodeStatus, Workflow } from "../api/mod.ts";
import { templateNameOf } from "../status/mod.ts";

/** The conditions that artifacts are chosen by; a field that is absent leaves the choice open. */
export interface ArtifactQuery {
  readonly nodeId?: string | undefined;
  readonly templateName?: string | undefined;
  readonly artifactName?: string | undefined;
}

/** An output artifact, and the node that put it out. */
export interface NodeArtifact {
  readonly node: NodeStatus;
  readonly artifact: Artifact;
}

/** The output artifacts of a workflow's nodes, in the order of the nodes. */
export function outputArtifacts(workflow: Workflow, query: ArtifactQuery = {}): NodeArtifact[] {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  return nodes
    .filter(({ id }) => query.nodeId === undefined || id === query.nodeId)
    .filter((node) => query.templateName === undefined || templateNameOf(node) === query.templateName)
    .flatMap((node) => (node.outputs?.artifacts ?? []).map((artifact) => ({ node, artifact })))
    .filter(({ artifact: { name } }) => query.artifactName === undefined || name === query.artifactName);
}
