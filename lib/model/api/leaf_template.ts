/** The template types that call no other templates. */
import * as z from "zod";
import { Artifact, ArtifactPaths } from "./artifact.ts";
import { containerShape, VolumeMount } from "./core/container.ts";
import { SecretKeySelector } from "./core/reference.ts";
import { Int64, IntOrString, JsonObject, limits, object } from "./schema.ts";

/** A container with an interpreter and the source it runs. */
export const ScriptTemplate = object({ name: z.string().optional(), ...containerShape, source: z.string().optional() });
/** A container with an interpreter and the source it runs. */
export type ScriptTemplate = z.infer<typeof ScriptTemplate>;

const userContainerShape = { ...containerShape, mirrorVolumeMounts: z.boolean().optional() };

/** A sidecar that a template brings along. */
export const UserContainer = object({ name: z.string(), ...userContainerShape });
/** A container that a template brings along: a sidecar, or one that runs before. */
export type UserContainer = z.infer<typeof UserContainer>;

/** A container that runs before the one of the template. */
export const InitContainer = object({
  name: z.string("initContainers must all have container name"),
  ...userContainerShape,
});

/** One container of a container set. */
export const ContainerNode = object({
  name: z.string(),
  ...containerShape,
  dependencies: z.array(z.string()).optional(),
});
/** One container of a container set. */
export type ContainerNode = z.infer<typeof ContainerNode>;

/** Several containers in one pod, with an order between them. */
export const ContainerSetTemplate = object({
  containers: z.array(ContainerNode),
  volumeMounts: z.array(VolumeMount).optional(),
  retryStrategy: object({ duration: z.string().optional(), retries: IntOrString }).optional(),
});
/** Several containers in one pod, with an order between them. */
export type ContainerSetTemplate = z.infer<typeof ContainerSetTemplate>;

/** Something done with another Kubernetes object. */
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
/** Something done with another Kubernetes object. */
export type ResourceTemplate = z.infer<typeof ResourceTemplate>;

/** A list of artifacts, transformed. */
export const Data = object({
  source: object({ artifactPaths: ArtifactPaths.optional() }),
  transformation: z.array(object({ expression: z.string() })),
});
/** A list of artifacts, transformed. */
export type Data = z.infer<typeof Data>;

/** A wait for time or for a person. */
export const SuspendTemplate = object({ duration: z.string().optional() });
/** A wait for time or for a person. */
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

/** Work for an executor plugin: one key, the plugin's name. */
export const Plugin = JsonObject.refine((plugin) => Object.keys(plugin).length === 1, {
  error: (issue) => `expected exactly one key, got ${Object.keys(issue.input ?? {}).length}`,
});
/** Work for an executor plugin: one key, the plugin's name. */
export type Plugin = z.infer<typeof Plugin>;
