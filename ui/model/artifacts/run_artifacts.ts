/** The artifacts of a run: the nodes that produced or used them, and lookup from an address. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { addressOf } from "@tiphys/model/artifact/location";
import { nodesOf } from "@tiphys/model/status";

/** Whether an artifact is an input or an output. */
export type ArtifactSide = "inputs" | "outputs";

/** Selects an artifact: its node, side and name, and a path inside it if it is a folder. */
export interface ArtifactChoice {
  readonly nodeId: string;
  readonly side: ArtifactSide;
  readonly name: string;
  readonly path: string;
}

/** An artifact of a run. */
export interface RunArtifact extends ArtifactChoice {
  readonly node: NodeStatus;
  /** The location in its store: a key, path or address; empty if the run does not contain it. */
  readonly key: string;
  /** Whether the artifact was deleted by garbage collection. */
  readonly isDeleted: boolean;
  /** The size in bytes; undefined if the run does not contain it, as with Argo's executor. */
  readonly size: number | undefined;
  /** The number of objects of a folder; undefined for a file. */
  readonly objects: number | undefined;
}

/** Returns the output artifacts of a run, in the order in which their nodes started. */
export function artifactsOf(run: Workflow): RunArtifact[] {
  return nodesOf(run)
    .filter(({ type }) => type !== "Retry" && type !== "DAG" && type !== "Steps" && type !== "StepGroup")
    .sort((a, b) => (a.startedAt ?? "") < (b.startedAt ?? "") ? -1 : 1)
    .flatMap((node) => artifactsOfNode(node, "outputs"));
}

/** Returns the input or output artifacts of a node. */
export function artifactsOfNode(node: NodeStatus, side: ArtifactSide): RunArtifact[] {
  return (node[side]?.artifacts ?? []).map((artifact) => ({
    node,
    nodeId: node.id,
    side,
    name: artifact.name,
    path: "",
    key: addressOf(artifact) ?? "",
    isDeleted: artifact.deleted === true,
    size: artifact.size,
    objects: artifact.objects,
  }));
}

/** Returns the artifact that Argo's page names as a node: `artifact:s3:ENDPOINT:BUCKET:KEY`. */
export function artifactByUrn(run: Workflow, urn: string): RunArtifact | undefined {
  if (!urn.startsWith("artifact:")) return undefined;
  const found = artifactsOf(run).filter(({ key }) => key !== "" && urn.endsWith(`:${key}`));
  // Different buckets may contain the same key. Artifacts of the default repository name no bucket.
  const bucketOf = ({ node, side, name }: RunArtifact) =>
    node[side]?.artifacts?.find((artifact) => artifact.name === name)?.s3?.bucket || undefined;
  return found.find((runArtifact) => urn.endsWith(`:${bucketOf(runArtifact)}:${runArtifact.key}`)) ??
    found.find((runArtifact) => bucketOf(runArtifact) === undefined) ?? found[0];
}

/** Serializes a selection for an address: `outputs:NAME:path/in/it`. Names contain no colons. */
export function choiceText({ side, name, path }: Omit<ArtifactChoice, "nodeId">): string {
  return path === "" ? `${side}:${name}` : `${side}:${name}:${path}`;
}

/** Parses the text of choiceText(). */
export function readChoice(nodeId: string | undefined, text: string | undefined): ArtifactChoice | undefined {
  const [, side, name, path = ""] = /^(inputs|outputs):([^:]+)(?::(.*))?$/s.exec(text ?? "") ?? [];
  if (nodeId === undefined || name === undefined) return undefined;
  return { nodeId, side: side as ArtifactSide, name, path };
}
