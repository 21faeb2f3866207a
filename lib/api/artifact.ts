/** Artifacts: named files and folders that go into and come out of templates. */
import { z } from "zod";
import { ARTIFACT_STORES } from "../artifact_stores.ts";
import {
  ArtifactoryArtifact,
  ArtifactRepository,
  AzureArtifact,
  GCSArtifact,
  GitArtifact,
  HDFSArtifact,
  HTTPArtifact,
  OSSArtifact,
  PluginArtifact,
  RawArtifact,
  S3Artifact,
} from "./artifact_store.ts";
import { Metadata } from "./metadata.ts";
import { ArtifactName } from "./name.ts";
import { atMostOne, Int32, type Limits, limits, object } from "./schema.ts";

const locationShape = {
  archiveLogs: z.boolean().optional(),
  s3: S3Artifact.optional(),
  git: GitArtifact.optional(),
  http: HTTPArtifact.optional(),
  artifactory: ArtifactoryArtifact.optional(),
  hdfs: HDFSArtifact.optional(),
  raw: RawArtifact.optional(),
  oss: OSSArtifact.optional(),
  gcs: GCSArtifact.optional(),
  azure: AzureArtifact.optional(),
  plugin: PluginArtifact.optional(),
};

const oneStore: Limits = {
  rules: [{ rule: atMostOne("self", ARTIFACT_STORES), message: "at most one artifact location can be specified" }],
};

/** Where an artifact lies: at most one store is named. */
export const ArtifactLocation = object(locationShape).register(limits, oneStore);
/** Where an artifact lies: at most one store is named. */
export type ArtifactLocation = z.infer<typeof ArtifactLocation>;

/** How an artifact is packed: as a compressed tar unless it says otherwise. */
export const ArchiveStrategy = object({
  tar: object({ compressionLevel: Int32.optional() }).optional(),
  none: object({}).optional(),
  zip: object({}).optional(),
});
/** How an artifact is packed: as a compressed tar unless it says otherwise. */
export type ArchiveStrategy = z.infer<typeof ArchiveStrategy>;

/** When an artifact is deleted from its store. */
export const ArtifactGCStrategy = z.enum(["", "OnWorkflowCompletion", "OnWorkflowDeletion", "Never"]);
/** When an artifact is deleted from its store. */
export type ArtifactGCStrategy = z.infer<typeof ArtifactGCStrategy>;

const artifactGCShape = {
  strategy: ArtifactGCStrategy.optional(),
  podMetadata: Metadata.optional(),
  serviceAccountName: z.string().optional(),
};

/** When and by whom an artifact is deleted. */
export const ArtifactGC = object(artifactGCShape);
/** When and by whom an artifact is deleted. */
export type ArtifactGC = z.infer<typeof ArtifactGC>;

/** The same for all artifacts of a workflow. */
export const WorkflowLevelArtifactGC = object({
  ...artifactGCShape,
  forceFinalizerRemoval: z.boolean().optional(),
  podSpecPatch: z.string().optional(),
});
/** The same for all artifacts of a workflow. */
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
};

/** A named file or folder. */
export const Artifact = object({ name: ArtifactName, ...artifactShape }).register(limits, oneStore);
/** A named file or folder. */
export type Artifact = z.infer<typeof Artifact>;

/** An artifact that may stand without a name, as the source of a `data` template does. */
export const ArtifactPaths = object({ name: z.string().optional(), ...artifactShape });
/** An artifact that may stand without a name, as the source of a `data` template does. */
export type ArtifactPaths = z.infer<typeof ArtifactPaths>;

const repositoryRefShape = { configMap: z.string().optional(), key: z.string().optional() };

/** The ConfigMap key that describes a repository. */
export const ArtifactRepositoryRef = object(repositoryRefShape);
/** The ConfigMap key that describes a repository. */
export type ArtifactRepositoryRef = z.infer<typeof ArtifactRepositoryRef>;

/** The repository a workflow has settled on. */
export const ArtifactRepositoryRefStatus = object({
  ...repositoryRefShape,
  namespace: z.string().optional(),
  default: z.boolean().optional(),
  artifactRepository: ArtifactRepository.optional(),
});
/** The repository a workflow has settled on. */
export type ArtifactRepositoryRefStatus = z.infer<typeof ArtifactRepositoryRefStatus>;
