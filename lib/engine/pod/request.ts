/** The input and the result of the pod builder. */
import { UserError } from "@tiphys/base/user_error";
import type {
  ArtifactLocation,
  ConfigMap,
  EnvVar,
  Pod,
  PodContainer,
  ResourceRequirements,
  SecurityContext,
  ServiceAccount,
  Template,
  Volume,
  WorkflowSpec,
} from "@tiphys/model/api";

/** Entrypoint and default arguments from the configuration of an image. */
export interface ImageCommand {
  readonly entrypoint?: string[];
  readonly cmd?: string[];
}

/**
 * The secret with the kubeconfig with which executor containers reach the API server if the controller runs outside of
 * the cluster.
 */
export interface KubeConfigSecret {
  readonly secretName: string;
  readonly secretKey: string;
  readonly volumeName?: string;
  readonly mountPath?: string;
}

/** An artifact plugin: its name in templates, and the image with its server. */
export interface ArtifactDriver {
  readonly name: string;
  readonly image: string;
  readonly connectionTimeoutSeconds?: number;
}

/**
 * The cache of input artifacts: a folder of the machine with a subfolder per namespace, or a claim of the namespace.
 */
export interface ArtifactCache {
  readonly hostPath?: string;
  readonly claimName?: string;
  /** Maximum size per namespace, in bytes. */
  readonly bytes: number;
}

/** The controller's settings that shape pods. */
export interface ExecutorConfig {
  /** `initless`: argoexec by image volume and a `supervisor`; `legacy`: an `init` container and `wait`. */
  readonly layout: "initless" | "legacy";
  /** Whether pods of the init-less layout have no supervisor if main does not need one. */
  readonly singleContainer?: boolean;
  /** The executor image: run by the executor's own containers, and mounted into the others. */
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly resources?: ResourceRequirements;
  readonly securityContext?: SecurityContext;
  readonly args?: string[];
  readonly env?: EnvVar[];
  /** Commands of images for containers without a command. */
  readonly images: Readonly<Record<string, ImageCommand>>;
  /** Whether the machine supplies the commands of images that are not listed; see IMAGE_COMMAND. */
  readonly nodeKnowsImages?: boolean;
  /** Defaults for every main container. */
  readonly mainContainer?: Partial<PodContainer>;
  readonly instanceId?: string;
  /** Whether pods have the finalizer that holds them until their end is recorded. */
  readonly statusFinalizer: boolean;
  readonly logLevel: string;
  readonly logFormat: string;
  readonly kubeConfig?: KubeConfigSecret;
  readonly artifactDrivers?: readonly ArtifactDriver[];
  readonly artifactCache?: ArtifactCache;
  /** Go durations. Progress is watched only if both are set and neither is zero. */
  readonly progressPatchTick?: string;
  /** The label that identifies a machine when a retry must run on another one; default `kubernetes.io/hostname`. */
  readonly hostLabel?: string;
  readonly progressFileTick?: string;
  /** Default delay before a completed pod is deleted, as a Go duration. */
  readonly podGcDelay?: string;
}

/** The span of a node and its trace, as hexadecimal digits in OpenTelemetry's format. */
export interface NodeTrace {
  readonly traceId: string;
  readonly spanId: string;
}

/** The input from which a pod is built. The builder reads nothing else, so equal requests result in equal pods. */
export interface PodRequest {
  readonly workflow: { readonly name: string; readonly namespace: string; readonly uid: string };
  /** The effective spec, with global variables substituted. */
  readonly spec: WorkflowSpec;
  readonly node: { readonly id: string; readonly name: string };
  readonly podName: string;
  /** Absent if no traces are sent. */
  readonly trace?: NodeTrace | undefined;
  /** The template after processing of its arguments. */
  readonly template: Template;
  /** The enclosing steps or DAG template, with defaults for scheduling fields. */
  readonly boundaryTemplate?: Template;
  /** Global variables. */
  readonly globals: ReadonlyMap<string, string | null>;
  /** Volumes of the claims that were created from `volumeClaimTemplates`. */
  readonly claims?: readonly Volume[];
  /** The executor's dedicated service account, if known: it names the secret with its token. */
  readonly executorAccount?: ServiceAccount;
  /** Hosts on which the pod must not run because earlier attempts failed there. */
  readonly excludedHosts?: readonly string[];
  /** Whether something refers to this node's `outputs.result`. */
  readonly includeScriptOutput: boolean;
  readonly onExit: boolean;
  /** The time at which the executor must stop main (RFC 3339); absent without a deadline. */
  readonly deadline?: string;
  /** Whether `deadline` limits all attempts of a retry together, which `activeDeadlineSeconds` does not. */
  readonly isRetryDeadline?: boolean;
  /** The smallest remaining time of template, `timeout` and workflow deadline, counted from the pod's start. */
  readonly activeDeadlineSeconds?: number;
  readonly config: ExecutorConfig;
  /** The layout of the workflow's annotation, which takes precedence over the configured one. */
  readonly requestedLayout?: string;
  /** The reason, observed in the cluster, why the pod must have the legacy layout although the other one is chosen. */
  readonly legacyLayoutReason?: string;
  /** The location of artifacts and logs without a location. The builder substitutes the tags in its key. */
  readonly archiveLocation?: ArtifactLocation;
}

/** Returns the request for a pod that belongs to a workflow but not to a node. */
export function requestWithoutNode(
  source: Pick<PodRequest, "workflow" | "podName" | "config" | "template" | "spec">,
): PodRequest {
  return { ...source, node: { id: "", name: "" }, globals: new Map(), includeScriptOutput: false, onExit: false };
}

/**
 * The pod, the ConfigMap that must exist before it, and warnings for the user; or the error of an invalid template,
 * which ends the node.
 */
export type PodBuild =
  | { readonly ok: true; readonly pod: Pod; readonly configMap?: ConfigMap; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly unknownImage?: UnknownImage };

/** An image whose command is required and unknown, with the credentials for a request to its registry. */
export interface UnknownImage {
  readonly image: string;
  /** Names of the pod's secrets. */
  readonly pullSecrets: readonly string[];
  readonly serviceAccount: string;
}

/** A mistake in the template or spec that prevents building a pod. Caught by `buildPod`. */
export class PodBuildError extends UserError {
  override readonly name: string = "PodBuildError";
}

/** A container has no command, and that of its image is unknown. */
export class UnknownImageError extends PodBuildError {
  override readonly name = "UnknownImageError";
  readonly image: string;

  constructor(image: string, message: string) {
    super(message);
    this.image = image;
  }
}
