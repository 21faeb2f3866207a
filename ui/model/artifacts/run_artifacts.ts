/** The artifacts of a run: which nodes put them out or took them in, and the one that an address means. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { addressOf } from "@tiphys/model/artifact/location";
import { nodesOf } from "@tiphys/model/status";

/** The side of a node that an artifact is on. */
export type ArtifactSide = "inputs" | "outputs";

/** The artifact that is meant: by its node, its side and its name, and a place in it where it is a folder. */
export interface ArtifactChoice {
  readonly nodeId: string;
  readonly side: ArtifactSide;
  readonly name: string;
  readonly path: string;
}

/** One artifact of a run. */
export interface RunArtifact extends ArtifactChoice {
  readonly node: NodeStatus;
  /** The place in its store: a key, a path or an address; empty where the run does not say it. */
  readonly key: string;
  /** The artifact was collected as garbage, and is not there any more. */
  readonly isDeleted: boolean;
}

/** The artifacts that the nodes of a run put out, in the order in which the nodes began. */
export function artifactsOf(run: Workflow): RunArtifact[] {
  return nodesOf(run)
    .filter(({ type }) => type !== "Retry" && type !== "DAG" && type !== "Steps" && type !== "StepGroup")
    .sort((a, b) => (a.startedAt ?? "") < (b.startedAt ?? "") ? -1 : 1)
    .flatMap((node) => artifactsOfNode(node, "outputs"));
}

/** The artifacts of one side of a node. */
export function artifactsOfNode(node: NodeStatus, side: ArtifactSide): RunArtifact[] {
  return (node[side]?.artifacts ?? []).map((artifact) => ({
    node,
    nodeId: node.id,
    side,
    name: artifact.name,
    path: "",
    key: addressOf(artifact) ?? "",
    isDeleted: artifact.deleted === true,
  }));
}

/** The artifact that Argo's page names as a node: `artifact:s3:ENDPOINT:BUCKET:KEY`. */
export function artifactByUrn(run: Workflow, urn: string): RunArtifact | undefined {
  if (!urn.startsWith("artifact:")) return undefined;
  const found = artifactsOf(run).filter(({ key }) => key !== "" && urn.endsWith(`:${key}`));
  // Two buckets may have the same key; an artifact of the repository names none.
  const bucketOf = ({ node, side, name }: RunArtifact) =>
    node[side]?.artifacts?.find((one) => one.name === name)?.s3?.bucket || undefined;
  return found.find((one) => urn.endsWith(`:${bucketOf(one)}:${one.key}`)) ??
    found.find((one) => bucketOf(one) === undefined) ?? found[0];
}

/** The text of a choice in an address: `outputs:NAME:path/in/it`. Names hold no colons. */
export function choiceText({ side, name, path }: Omit<ArtifactChoice, "nodeId">): string {
  return path === "" ? `${side}:${name}` : `${side}:${name}:${path}`;
}

/** Reads such a text. */
export function readChoice(nodeId: string | undefined, text: string | undefined): ArtifactChoice | undefined {
  const [, side, name, path = ""] = /^(inputs|outputs):([^:]+)(?::(.*))?$/s.exec(text ?? "") ?? [];
  if (nodeId === undefined || name === undefined) return undefined;
  return { nodeId, side: side as ArtifactSide, name, path };
}
