/** The request to the pod builder, and its answer. */
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

/** Entrypoint and default arguments of an image, as the image's own configuration has them. */
export interface ImageCommand {
  readonly entrypoint?: string[];
  readonly cmd?: string[];
}

/**
 * The secret with the kubeconfig by which executor containers reach the API server, where the controller runs outside
 * the cluster.
 */
export interface KubeConfigSecret {
  readonly secretName: string;
  readonly secretKey: string;
  readonly volumeName?: string;
  readonly mountPath?: string;
}

/** An artifact plugin: its name in templates, and the image that answers for it. */
export interface ArtifactDriver {
  readonly name: string;
  readonly image: string;
  readonly connectionTimeoutSeconds?: number;
}

/** The cache of input artifacts on a node: a folder of the node with one for each namespace, or a claim of the namespace. */
export interface ArtifactCache {
  readonly hostPath?: string;
  readonly claimName?: string;
  /** The most bytes that may lie in it, of one namespace. */
  readonly bytes: number;
}

/** The controller's settings that shape pods. */
export interface ExecutorConfig {
  /** `initless`: argoexec by image volume and a `supervisor`; `legacy`: an `init` container and `wait`. */
  readonly layout: "initless" | "legacy";
  /** Whether pods of the init-less layout have no supervisor where main can do without. */
  readonly singleContainer?: boolean;
  /** The executor image: run by the executor's own containers, and mounted into the others. */
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly resources?: ResourceRequirements;
  readonly securityContext?: SecurityContext;
  readonly args?: string[];
  readonly env?: EnvVar[];
  /** Commands of images that templates use without naming a command. */
  readonly images: Readonly<Record<string, ImageCommand>>;
  /** Whether the node puts in the commands of images that are not among these; see IMAGE_COMMAND. */
  readonly nodeKnowsImages?: boolean;
  /** Defaults that lie under every main container. */
  readonly mainContainer?: Partial<PodContainer>;
  readonly instanceId?: string;
  /** Whether pods carry the finalizer that keeps them until their end is recorded. */
  readonly statusFinalizer: boolean;
  readonly logLevel: string;
  readonly logFormat: string;
  readonly kubeConfig?: KubeConfigSecret;
  readonly artifactDrivers?: readonly ArtifactDriver[];
  readonly artifactCache?: ArtifactCache;
  /** Go durations; progress is watched only when both are there and neither is zero. */
  readonly progressPatchTick?: string;
  /** The label by which nodes are told apart when a retry is to go to another one; `kubernetes.io/hostname` when left out. */
  readonly hostLabel?: string;
  readonly progressFileTick?: string;
  /** Go duration before a finished pod is deleted, where the workflow does not say. */
  readonly podGcDelay?: string;
}

/** The span of a node, and the trace that it is part of: hexadecimal digits, as OpenTelemetry has them. */
export interface TraceOfNode {
  readonly traceId: string;
  readonly spanId: string;
}

/** Everything a pod is made from. The builder reads nothing else, so equal requests give equal pods. */
export interface PodRequest {
  readonly workflow: { readonly name: string; readonly namespace: string; readonly uid: string };
  /** The effective spec, global variables replaced. */
  readonly spec: WorkflowSpec;
  readonly node: { readonly id: string; readonly name: string };
  readonly podName: string;
  /** Absent where no traces are sent. */
  readonly trace?: TraceOfNode | undefined;
  /** The template after processing of its arguments. */
  readonly template: Template;
  /** The template of the enclosing steps or DAG: scheduling fields fall back to it. */
  readonly boundaryTemplate?: Template;
  /** Global variables. */
  readonly globals: ReadonlyMap<string, string | null>;
  /** Volumes of the claims that were made from `volumeClaimTemplates`. */
  readonly claims?: readonly Volume[];
  /** The service account of the executor, where it has one of its own and it is known: it tells where its token lies. */
  readonly executorAccount?: ServiceAccount;
  /** Hosts that the pod must not go to: earlier attempts failed there. */
  readonly excludedHosts?: readonly string[];
  /** Whether something refers to this node's `outputs.result`. */
  readonly includeScriptOutput: boolean;
  readonly onExit: boolean;
  /** RFC 3339; when the executor must stop main. Absent: never. */
  readonly deadline?: string;
  /** Whether `deadline` counts the end of all attempts of a retry, which `activeDeadlineSeconds` does not. */
  readonly isDeadlineOfRetries?: boolean;
  /** The smallest of what template, `timeout` and the workflow's deadline leave, from the pod's start on. */
  readonly activeDeadlineSeconds?: number;
  readonly config: ExecutorConfig;
  /** The layout that the workflow's annotation asks for; it takes precedence over the configured one. */
  readonly layoutWish?: string;
  /**
   * The reason why this pod must have the legacy layout although the other was chosen: something that the cluster
   * showed.
   */
  readonly legacyBecause?: string;
  /** The location of artifacts and logs that name none; the tags in its key are replaced here. */
  readonly archiveLocation?: ArtifactLocation;
}

/** The request for a pod that belongs to a workflow and to none of its nodes. */
export function requestWithoutNode(
  given: Pick<PodRequest, "workflow" | "podName" | "config" | "template" | "spec">,
): PodRequest {
  return { ...given, node: { id: "", name: "" }, globals: new Map(), includeScriptOutput: false, onExit: false };
}

/**
 * The pod, the ConfigMap that must exist before it, and what the user should know; or why there can be none (the user's
 * mistake: the node ends).
 */
export type PodBuild =
  | { readonly ok: true; readonly pod: Pod; readonly configMap?: ConfigMap; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly unknownImage?: UnknownImage };

/** An image whose command is wanted and not known, and what whoever asks its registry may be shown to be. */
export interface UnknownImage {
  readonly image: string;
  /** Names of the pod's secrets. */
  readonly pullSecrets: readonly string[];
  readonly serviceAccount: string;
}

/** A mistake in template or spec that no pod can be made of. Caught by `buildPod`. */
export class PodBuildError extends UserError {
  override readonly name: string = "PodBuildError";
}

/** A container names no command, and that of its image is not known. */
export class UnknownImageError extends PodBuildError {
  override readonly name = "UnknownImageError";
  readonly image: string;

  constructor(image: string, message: string) {
    super(message);
    this.image = image;
  }
}
