/** Container of core/v1 and the types of its fields. */
import * as z from "zod";
import { Int32, Int64, IntOrString, limits, loose, mapOf, object, Quantity } from "../schema.ts";
import { ConfigMapKeySelector, SecretKeySelector } from "./reference.ts";

/** A port that a container listens on. */
export const ContainerPort = object({
  name: z.string().optional(),
  containerPort: Int32,
  hostPort: Int32.optional(),
  hostIP: z.string().optional(),
  protocol: z.string().optional(),
});
/** A port that a container listens on. */
export type ContainerPort = z.infer<typeof ContainerPort>;

/** The source of the value of an environment variable. */
export const EnvVarSource = object({
  fieldRef: object({ apiVersion: z.string().optional(), fieldPath: z.string() }).optional(),
  resourceFieldRef: object({
    containerName: z.string().optional(),
    resource: z.string(),
    divisor: Quantity.optional(),
  }).optional(),
  configMapKeyRef: ConfigMapKeySelector.optional(),
  secretKeyRef: SecretKeySelector.optional(),
  fileKeyRef: object({
    volumeName: z.string(),
    path: z.string(),
    key: z.string(),
    optional: z.boolean().optional(),
  }).optional(),
});
/** The source of the value of an environment variable. */
export type EnvVarSource = z.infer<typeof EnvVarSource>;

/** An environment variable. */
export const EnvVar = object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: EnvVarSource.optional(),
});
/** An environment variable. */
export type EnvVar = z.infer<typeof EnvVar>;

const envFromReference = object({ name: z.string().optional(), optional: z.boolean().optional() });

/** All keys of a ConfigMap or Secret as environment variables. */
export const EnvFromSource = object({
  prefix: z.string().optional(),
  configMapRef: envFromReference.optional(),
  secretRef: envFromReference.optional(),
});
/** All keys of a ConfigMap or Secret as environment variables. */
export type EnvFromSource = z.infer<typeof EnvFromSource>;

/** A volume mounted into a container. */
export const VolumeMount = object({
  name: z.string(),
  mountPath: z.string(),
  subPath: z.string().optional(),
  subPathExpr: z.string().optional(),
  readOnly: z.boolean().optional(),
  recursiveReadOnly: z.string().optional(),
  mountPropagation: z.string().optional(),
});
/** A volume mounted into a container. */
export type VolumeMount = z.infer<typeof VolumeMount>;

/** A block device of a container. */
export const VolumeDevice = object({ name: z.string(), devicePath: z.string() });
/** A block device of a container. */
export type VolumeDevice = z.infer<typeof VolumeDevice>;

/** The resources that a container or pod requests, and their limits. */
export const ResourceRequirements = object({
  limits: mapOf(Quantity).optional(),
  requests: mapOf(Quantity).optional(),
  claims: z.array(object({ name: z.string(), request: z.string().optional() })).optional(),
});
/** The resources that a container or pod requests, and their limits. */
export type ResourceRequirements = z.infer<typeof ResourceRequirements>;

const probeAction = {
  exec: object({ command: z.array(z.string()).optional() }).optional(),
  httpGet: object({
    path: z.string().optional(),
    port: IntOrString,
    host: z.string().optional(),
    scheme: z.string().optional(),
    httpHeaders: z.array(object({ name: z.string(), value: z.string() })).optional(),
  }).optional(),
  tcpSocket: object({ port: IntOrString, host: z.string().optional() }).optional(),
};

/** A health check of a container by the kubelet. */
export const Probe = object({
  ...probeAction,
  grpc: object({ port: Int32, service: z.string().optional() }).optional(),
  initialDelaySeconds: Int32.optional(),
  timeoutSeconds: Int32.optional(),
  periodSeconds: Int32.optional(),
  successThreshold: Int32.optional(),
  failureThreshold: Int32.optional(),
  terminationGracePeriodSeconds: Int64.optional(),
}).register(limits, { open: true });
/** A health check of a container by the kubelet. */
export type Probe = z.infer<typeof Probe>;

const lifecycleHandler = object({ ...probeAction, sleep: object({ seconds: Int64 }).optional() });

/** Actions after the start and before the end of a container. */
export const Lifecycle = object({
  postStart: lifecycleHandler.optional(),
  preStop: lifecycleHandler.optional(),
  stopSignal: z.string().optional(),
}).register(limits, { open: true });
/** Actions after the start and before the end of a container. */
export type Lifecycle = z.infer<typeof Lifecycle>;

/** Security settings of a container. */
export const SecurityContext = object({
  capabilities: object({ add: z.array(z.string()).optional(), drop: z.array(z.string()).optional() }).optional(),
  privileged: z.boolean().optional(),
  seLinuxOptions: loose({}).optional(),
  windowsOptions: loose({}).optional(),
  runAsUser: Int64.optional(),
  runAsGroup: Int64.optional(),
  runAsNonRoot: z.boolean().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
  procMount: z.string().optional(),
  seccompProfile: loose({}).optional(),
  appArmorProfile: loose({}).optional(),
});
/** Security settings of a container. */
export type SecurityContext = z.infer<typeof SecurityContext>;

/** The fields of a container, for schemas that extend it. The engine sets `name` if it is absent. */
export const containerShape = {
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  workingDir: z.string().optional(),
  ports: z.array(ContainerPort).optional(),
  envFrom: z.array(EnvFromSource).optional(),
  env: z.array(EnvVar).optional(),
  resources: ResourceRequirements.optional(),
  resizePolicy: z.array(object({ resourceName: z.string(), restartPolicy: z.string() })).optional(),
  restartPolicy: z.string().optional(),
  restartPolicyRules: z.array(loose({})).optional(),
  volumeMounts: z.array(VolumeMount).optional(),
  volumeDevices: z.array(VolumeDevice).optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  startupProbe: Probe.optional(),
  lifecycle: Lifecycle.optional(),
  terminationMessagePath: z.string().optional(),
  terminationMessagePolicy: z.string().optional(),
  imagePullPolicy: z.string().optional(),
  securityContext: SecurityContext.optional(),
  stdin: z.boolean().optional(),
  stdinOnce: z.boolean().optional(),
  tty: z.boolean().optional(),
};

/** A container in a template. Its name is optional, because the engine sets it. */
export const Container = object({ name: z.string().optional(), ...containerShape });
/** A container in a template. Its name is optional, because the engine sets it. */
export type Container = z.infer<typeof Container>;
