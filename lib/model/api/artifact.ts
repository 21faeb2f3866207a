/** Artifacts: named files and folders that are inputs and outputs of templates. */
import * as z from "zod";
import { STORE_NAMES } from "../artifact/stores.ts";
import { ArtifactRepository, locationFields } from "./artifact_store.ts";
import { Metadata } from "./metadata.ts";
import { ArtifactName } from "./name.ts";
import { atMostOne, Int32, Int64, type Limits, limits, object } from "./schema.ts";

const locationShape = {
  archiveLogs: z.boolean().optional(),
  ...locationFields,
};

const oneStore: Limits = {
  rules: [{ rule: atMostOne("self", STORE_NAMES), message: "at most one artifact location can be specified" }],
};

/** The location of an artifact, in at most one store. */
export const ArtifactLocation = object(locationShape).register(limits, oneStore);
/** The location of an artifact, in at most one store. */
export type ArtifactLocation = z.infer<typeof ArtifactLocation>;

/** The archive format of an artifact: a compressed tar by default. */
export const ArchiveStrategy = object({
  tar: object({ compressionLevel: Int32.optional() }).optional(),
  none: object({}).optional(),
  zip: object({}).optional(),
});
/** The archive format of an artifact: a compressed tar by default. */
export type ArchiveStrategy = z.infer<typeof ArchiveStrategy>;

/** The event at which an artifact is deleted from its store, or `Never`. */
export const ArtifactGCStrategy = z.enum(["", "OnWorkflowCompletion", "OnWorkflowDeletion", "Never"]);
/** The event at which an artifact is deleted from its store, or `Never`. */
export type ArtifactGCStrategy = z.infer<typeof ArtifactGCStrategy>;

const artifactGCShape = {
  strategy: ArtifactGCStrategy.optional(),
  podMetadata: Metadata.optional(),
  serviceAccountName: z.string().optional(),
};

/** The event at which an artifact is deleted, and the service account and metadata of the pod that deletes it. */
export const ArtifactGC = object(artifactGCShape);
/** The event at which an artifact is deleted, and the service account and metadata of the pod that deletes it. */
export type ArtifactGC = z.infer<typeof ArtifactGC>;

/** The default for all artifacts of a workflow. */
export const WorkflowLevelArtifactGC = object({
  ...artifactGCShape,
  forceFinalizerRemoval: z.boolean().optional(),
  podSpecPatch: z.string().optional(),
});
/** The default for all artifacts of a workflow. */
export type WorkflowLevelArtifactGC = z.infer<typeof WorkflowLevelArtifactGC>;

const Mode = z.int32().register(limits, { minimum: 0, maximum: 511 });

const artifactShape = {
  path: z.string().optional(),
  mode: Mode.optional(),
  from: z.string().optional(),
  fromExpression: z.string().optional(),
  ...locationShape,
  globalName: z.string().optional(),
  archive: ArchiveStrategy.optional(),
  optional: z.boolean().optional(),
  subPath: z.string().optional(),
  recurseMode: z.boolean().optional(),
  artifactGC: ArtifactGC.optional(),
  deleted: z.boolean().optional(),
  /** The measures of a saved artifact: the digest of its content, its bytes, and the number of objects of a folder. */
  digest: z.string().optional().register(limits, { addition: true }),
  size: Int64.optional().register(limits, { addition: true }),
  objects: Int64.optional().register(limits, { addition: true }),
};

/** A named file or folder. */
export const Artifact = object({ name: ArtifactName, ...artifactShape }).register(limits, oneStore);
/** A named file or folder. */
export type Artifact = z.infer<typeof Artifact>;

/** An artifact whose name is optional, such as the source of a `data` template. */
export const ArtifactPaths = object({ name: z.string().optional(), ...artifactShape }).register(limits, {
  argoRequires: ["name"],
});
/** An artifact whose name is optional, such as the source of a `data` template. */
export type ArtifactPaths = z.infer<typeof ArtifactPaths>;

const repositoryRefShape = { configMap: z.string().optional(), key: z.string().optional() };

/** The ConfigMap key that describes a repository. */
export const ArtifactRepositoryRef = object(repositoryRefShape);
/** The ConfigMap key that describes a repository. */
export type ArtifactRepositoryRef = z.infer<typeof ArtifactRepositoryRef>;

/** The repository that a workflow uses. */
export const ArtifactRepositoryRefStatus = object({
  ...repositoryRefShape,
  namespace: z.string().optional(),
  default: z.boolean().optional(),
  artifactRepository: ArtifactRepository.optional(),
});
/** The repository that a workflow uses. */
export type ArtifactRepositoryRefStatus = z.infer<typeof ArtifactRepositoryRefStatus>;
