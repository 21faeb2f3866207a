/** The template types that do not call other templates. */
import * as z from "zod";
import { Artifact, ArtifactPaths } from "./artifact.ts";
import { Container, containerShape, VolumeMount } from "./core/container.ts";
import { SecretKeySelector } from "./core/reference.ts";
import { Int64, IntOrString, JsonObject, limits, object } from "./schema.ts";
import type { Runner, TypesRunBy } from "./template_types.ts";

/** A container with an interpreter and the source that it runs. */
export const ScriptTemplate = object({ name: z.string().optional(), ...containerShape, source: z.string().optional() });
/** A container with an interpreter and the source that it runs. */
export type ScriptTemplate = z.infer<typeof ScriptTemplate>;

const userContainerShape = { ...containerShape, mirrorVolumeMounts: z.boolean().optional() };

/** A sidecar of a template. */
export const UserContainer = object({ name: z.string(), ...userContainerShape });
/** A sidecar or init container of a template. */
export type UserContainer = z.infer<typeof UserContainer>;

/** An init container of a template. */
export const InitContainer = object({
  name: z.string("initContainers must all have container name"),
  ...userContainerShape,
});

/** A container of a container set. */
export const ContainerNode = object({
  name: z.string(),
  ...containerShape,
  dependencies: z.array(z.string()).optional(),
});
/** A container of a container set. */
export type ContainerNode = z.infer<typeof ContainerNode>;

/** Several containers in one pod, which can depend on each other. */
export const ContainerSetTemplate = object({
  containers: z.array(ContainerNode),
  volumeMounts: z.array(VolumeMount).optional(),
  retryStrategy: object({ duration: z.string().optional(), retries: IntOrString }).optional(),
});
/** Several containers in one pod, which can depend on each other. */
export type ContainerSetTemplate = z.infer<typeof ContainerSetTemplate>;

/** An operation on a Kubernetes object. */
export const ResourceTemplate = object({
  action: z.enum(["get", "create", "apply", "delete", "replace", "patch"]),
  mergeStrategy: z.enum(["strategic", "merge", "json"]).optional(),
  manifest: z.string().optional(),
  manifestFrom: object({ artifact: Artifact }).optional(),
  setOwnerReference: z.boolean().optional(),
  successCondition: z.string().optional(),
  failureCondition: z.string().optional(),
  flags: z.array(z.string()).optional(),
}).register(limits, {
  rules: [{
    rule: "!(has(self.manifest) && has(self.manifestFrom))",
    message: "only one of manifest or manifestFrom can be specified",
  }],
});
/** An operation on a Kubernetes object. */
export type ResourceTemplate = z.infer<typeof ResourceTemplate>;

/** A list of artifacts and its transformation. */
export const Data = object({
  source: object({ artifactPaths: ArtifactPaths.optional() }),
  transformation: z.array(object({ expression: z.string() })),
});
/** A list of artifacts and its transformation. */
export type Data = z.infer<typeof Data>;

/** A wait for a duration or an approval. */
export const SuspendTemplate = object({ duration: z.string().optional() });
/** A wait for a duration or an approval. */
export type SuspendTemplate = z.infer<typeof SuspendTemplate>;

/** A header of an HTTP request. */
export const HTTPHeader = object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: object({ secretKeyRef: SecretKeySelector.optional() }).optional(),
});
/** A header of an HTTP request. */
export type HTTPHeader = z.infer<typeof HTTPHeader>;

/** An HTTP request. */
export const HTTP = object({
  method: z.string().optional(),
  url: z.string(),
  headers: z.array(HTTPHeader).optional(),
  timeoutSeconds: Int64.optional(),
  successCondition: z.string().optional(),
  body: z.string().optional(),
  bodyFrom: object({ bytes: z.string().optional() }).optional(),
  insecureSkipVerify: z.boolean().optional(),
});
/** An HTTP request. */
export type HTTP = z.infer<typeof HTTP>;

/** A task for an executor plugin: an object with one key, the plugin's name. */
export const Plugin = JsonObject.refine((plugin) => Object.keys(plugin).length === 1, {
  error: (issue) => `expected exactly one key, got ${Object.keys(issue.input ?? {}).length}`,
});
/** A task for an executor plugin: an object with one key, the plugin's name. */
export type Plugin = z.infer<typeof Plugin>;

/** The fields of a template that determine its type, for types that call no other templates. */
export const LEAF_TYPES = {
  container: Container.optional(),
  containerSet: ContainerSetTemplate.optional(),
  script: ScriptTemplate.optional(),
  resource: ResourceTemplate.optional(),
  suspend: SuspendTemplate.optional(),
  data: Data.optional(),
  http: HTTP.optional(),
  plugin: Plugin.optional(),
} satisfies Readonly<Record<TypesRunBy<Exclude<Runner, "calls">>, z.ZodType>>;
