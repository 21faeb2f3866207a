/** Where artifacts are kept: one shape per store, used by artifacts and (with a format for keys) by repositories. */
import { z } from "zod";
import { ConfigMapKeySelector, SecretKeySelector } from "./core/reference.ts";
import { Int32, Int64, limits, object } from "./schema.ts";

const basicAuth = { usernameSecret: SecretKeySelector.optional(), passwordSecret: SecretKeySelector.optional() };

const s3Bucket = {
  endpoint: z.string().optional(),
  bucket: z.string().optional(),
  region: z.string().optional(),
  insecure: z.boolean().optional(),
  accessKeySecret: SecretKeySelector.optional(),
  secretKeySecret: SecretKeySelector.optional(),
  sessionTokenSecret: SecretKeySelector.optional(),
  roleARN: z.string().optional(),
  useSDKCreds: z.boolean().optional(),
  createBucketIfNotPresent: object({ objectLocking: z.boolean().optional() }).optional(),
  encryptionOptions: object({
    kmsKeyId: z.string().optional(),
    kmsEncryptionContext: z.string().optional(),
    enableEncryption: z.boolean().optional(),
    serverSideCustomerKeySecret: SecretKeySelector.optional(),
  }).register(limits, { open: true }).optional(),
  caSecret: SecretKeySelector.optional(),
  addressingStyle: z.enum(["", "path", "virtual-hosted"]).optional(),
};

const hdfsCluster = {
  addresses: z.array(z.string()).optional(),
  hdfsUser: z.string().optional(),
  dataTransferProtection: z.string().optional(),
  krbCCacheSecret: SecretKeySelector.optional(),
  krbKeytabSecret: SecretKeySelector.optional(),
  krbUsername: z.string().optional(),
  krbRealm: z.string().optional(),
  krbConfigConfigMap: ConfigMapKeySelector.optional(),
  krbServicePrincipalName: z.string().optional(),
};

const ossBucket = {
  endpoint: z.string().optional(),
  bucket: z.string().optional(),
  accessKeySecret: SecretKeySelector.optional(),
  secretKeySecret: SecretKeySelector.optional(),
  createBucketIfNotPresent: z.boolean().optional(),
  securityToken: z.string().optional(),
  lifecycleRule: object({
    markInfrequentAccessAfterDays: Int32.optional(),
    markDeletionAfterDays: Int32.optional(),
  }).optional(),
  useSDKCreds: z.boolean().optional(),
};

const gcsBucket = { bucket: z.string().optional(), serviceAccountKeySecret: SecretKeySelector.optional() };

const azureContainer = { accountKeySecret: SecretKeySelector.optional(), useSDKCreds: z.boolean().optional() };

/** An object in an S3 bucket. */
export const S3Artifact = object({ ...s3Bucket, key: z.string().optional() });
/** An object in an S3 bucket. */
export type S3Artifact = z.infer<typeof S3Artifact>;

/** A git repository. */
export const GitArtifact = object({
  repo: z.string(),
  revision: z.string().optional(),
  depth: Int64.optional(),
  fetch: z.array(z.string()).optional(),
  ...basicAuth,
  sshPrivateKeySecret: SecretKeySelector.optional(),
  insecureIgnoreHostKey: z.boolean().optional(),
  disableSubmodules: z.boolean().optional(),
  singleBranch: z.boolean().optional(),
  branch: z.string().optional(),
  insecureSkipTLS: z.boolean().optional(),
});
/** A git repository. */
export type GitArtifact = z.infer<typeof GitArtifact>;

/** Something behind a URL. */
export const HTTPArtifact = object({
  url: z.string(),
  headers: z.array(object({ name: z.string(), value: z.string() })).optional(),
  auth: object({
    clientCert: object({
      clientCertSecret: SecretKeySelector.optional(),
      clientKeySecret: SecretKeySelector.optional(),
    }).optional(),
    oauth2: object({
      clientIDSecret: SecretKeySelector.optional(),
      clientSecretSecret: SecretKeySelector.optional(),
      tokenURLSecret: SecretKeySelector.optional(),
      scopes: z.array(z.string()).optional(),
      endpointParams: z.array(object({ key: z.string(), value: z.string().optional() })).optional(),
    }).optional(),
    basicAuth: object(basicAuth).optional(),
  }).register(limits, { open: true }).optional(),
  saveStreamViaFile: z.boolean().optional(),
});
/** Something behind a URL. */
export type HTTPArtifact = z.infer<typeof HTTPArtifact>;

/** A file in Artifactory. */
export const ArtifactoryArtifact = object({ url: z.string(), ...basicAuth });
/** A file in Artifactory. */
export type ArtifactoryArtifact = z.infer<typeof ArtifactoryArtifact>;

/** A file in HDFS. */
export const HDFSArtifact = object({ ...hdfsCluster, path: z.string(), force: z.boolean().optional() }).register(
  limits,
  { open: true },
);
/** A file in HDFS. */
export type HDFSArtifact = z.infer<typeof HDFSArtifact>;

/** The content itself. */
export const RawArtifact = object({ data: z.string() });
/** The content itself. */
export type RawArtifact = z.infer<typeof RawArtifact>;

/** An object in Alibaba's store. */
export const OSSArtifact = object({ ...ossBucket, key: z.string() });
/** An object in Alibaba's store. */
export type OSSArtifact = z.infer<typeof OSSArtifact>;

/** An object in Google's store. */
export const GCSArtifact = object({ ...gcsBucket, key: z.string() });
/** An object in Google's store. */
export type GCSArtifact = z.infer<typeof GCSArtifact>;

/** A blob in Azure's store. */
export const AzureArtifact = object({
  endpoint: z.string(),
  container: z.string(),
  ...azureContainer,
  blob: z.string(),
});
/** A blob in Azure's store. */
export type AzureArtifact = z.infer<typeof AzureArtifact>;

/** Something that a plugin's driver keeps. */
export const PluginArtifact = object({
  name: z.string().optional(),
  configuration: z.string().optional(),
  connectionTimeoutSeconds: Int32.optional(),
  key: z.string(),
});
/** Something that a plugin's driver keeps. */
export type PluginArtifact = z.infer<typeof PluginArtifact>;

/** Where and under which keys artifacts go that say nothing themselves. */
export const ArtifactRepository = object({
  archiveLogs: z.boolean().optional(),
  s3: object({ ...s3Bucket, keyFormat: z.string().optional(), keyPrefix: z.string().optional() }).optional(),
  artifactory: object({
    ...basicAuth,
    repoURL: z.string().optional(),
    keyFormat: z.string().optional(),
  }).optional(),
  hdfs: object({ ...hdfsCluster, pathFormat: z.string().optional(), force: z.boolean().optional() }).optional(),
  oss: object({ ...ossBucket, keyFormat: z.string().optional() }).optional(),
  gcs: object({ ...gcsBucket, keyFormat: z.string().optional() }).optional(),
  azure: object({
    endpoint: z.string().optional(),
    container: z.string().optional(),
    ...azureContainer,
    blobNameFormat: z.string().optional(),
  }).optional(),
  plugin: object({
    name: z.string().optional(),
    keyFormat: z.string().optional(),
    configuration: z.string().optional(),
  }).optional(),
});
/** Where and under which keys artifacts go that say nothing themselves. */
export type ArtifactRepository = z.infer<typeof ArtifactRepository>;
