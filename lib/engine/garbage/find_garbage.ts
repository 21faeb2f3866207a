/** Finds the artifacts of a workflow that remain to be deleted. */
import type { Artifact, ArtifactLocation, NodeStatus, Template, WorkflowSpec } from "@tiphys/model/api";
import { deletionPlanOf, type DeletionStrategy, notOwnedReason } from "@tiphys/model/artifact_garbage";
import { isFull, keyOf, keyOnly, LocationError, placeOf, relocate, withKey } from "@tiphys/model/artifact/location";
import { hasStore } from "@tiphys/model/artifact/stores";
import { replaceTags } from "@tiphys/language/template";
import { archiveLocationOf } from "../spec/artifact_repository.ts";
import { setGlobals } from "../spec/globals.ts";
import { templateIfValid } from "../templates/parallelism.ts";
import type { Slice, StatusDraft } from "../slice.ts";
import { accessOf, type CollectorAccess } from "./strategy.ts";

/** An artifact to delete. */
export interface Garbage {
  readonly nodeId: string;
  readonly artifact: Artifact;
  /** The event at which it should be deleted: the completion or the deletion of the workflow. */
  readonly strategy: DeletionStrategy;
  readonly access: CollectorAccess;
}

/** All remaining garbage of the workflow, for any strategy. */
export function findGarbage(pass: Slice<StatusDraft>, spec: WorkflowSpec): Garbage[] {
  const found: Garbage[] = [];
  for (const node of pass.draft.nodes.all()) {
    // Memoized outputs belong to the workflow that created them, so they are not deleted here.
    if (notOwnedReason(node)) continue;
    for (const recorded of node.outputs?.artifacts ?? []) {
      if (recorded.deleted) continue;
      const artifact = trustedArtifact(pass, node, recorded);
      const fate = deletionPlanOf(spec, node, artifact);
      if (!("goes" in fate)) continue;
      found.push({ nodeId: node.id, artifact, strategy: fate.goes, access: accessOf(spec, artifact) });
    }
  }
  return found;
}

/**
 * The artifact from a trusted source. Users who may edit a workflow may edit its status, so if workflows are
 * restricted, the location, secrets, strategy and account come from the template, and only the key from the status.
 */
function trustedArtifact(pass: Slice<StatusDraft>, node: NodeStatus, recorded: Artifact): Artifact {
  if (pass.facts.config.templateReferencing === undefined) return recorded;
  const { name } = recorded;
  const key = keyOf(recorded) ?? "";
  const declared = templateIfValid(pass, node)?.outputs?.artifacts?.find((artifact) => artifact.name === name);
  if (!declared || !hasStore(declared)) {
    const archive = archiveLocationOfNode(pass, node);
    const place = archive && hasStore(archive) ? keyOnly(archive, key) : {};
    return { name, ...place, ...(declared?.artifactGC ? { artifactGC: declared.artifactGC } : {}) };
  }
  return withKey(withoutTags(pass, declared, node), key);
}

/** The location of a node's artifacts without one: that of its template if it is complete, or that of the workflow. */
export function archiveLocationOfNode(pass: Slice<StatusDraft>, node: NodeStatus): ArtifactLocation | undefined {
  const template = templateIfValid(pass, node);
  const location = templateLocation(template, archiveLocationOf(pass));
  return location && withoutTags(pass, location, node);
}

function templateLocation(
  template: Template | undefined,
  repository: ArtifactLocation | undefined,
): ArtifactLocation | undefined {
  const own = template?.archiveLocation;
  if (isFull(own) || !hasStore(repository)) return hasStore(own) ? own : repository;
  if (!own || keyOf(own) === undefined) return repository;
  try {
    return relocate(own, repository);
  } catch (error) {
    if (!(error instanceof LocationError)) throw error;
    return repository;
  }
}

/**
 * A template's location with tags replaced as for the pod of its node. The key is irrelevant, since each artifact has
 * its own.
 */
function withoutTags<T extends ArtifactLocation>(pass: Slice<StatusDraft>, location: T, { inputs }: NodeStatus): T {
  if (!JSON.stringify(placeOf(location)?.settings ?? {}).includes("{{")) return location;
  if (pass.draft.globals.size === 0) setGlobals(pass);
  const own = (inputs?.parameters ?? []).map(({ name, value }) => [`inputs.parameters.${name}`, value ?? ""] as const);
  return replaceTags(location, new Map([...pass.draft.globals, ...own]), { kind: "lenient" });
}
