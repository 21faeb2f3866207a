/** The canary: a small workflow that must succeed after a takeover. */
import * as z from "zod";
import { API_VERSION, CONTAINER, GROUP, LABEL } from "@tiphys/base/constants";
import { classifyError, type KubeClient, NAMESPACES, PODS, WORKFLOWS } from "@tiphys/kube";
import { DEFAULT_CONFIG_MAP, readSettings, setupOf } from "../controller_setup.ts";
import type { InstalledProgram } from "../deployments.ts";

/** The place where a canary runs, and its image. */
export interface CanaryOptions {
  readonly namespace: string;
  /** The service account of its pod. */
  readonly account: string;
  readonly executorImage: string;
  /** The instance ID of the controller, if any: it runs only workflows with this label. */
  readonly instanceId: string | undefined;
  /** Whether the controller rejects workflows without a template, such as the canary. */
  readonly requiresTemplate: boolean;
}

/** The choices of a user about canaries. By default, they follow from each controller. */
export interface CanaryChoices {
  /** The namespace of the controllers. */
  readonly home: string;
  readonly configMap?: string | undefined;
  readonly namespace?: string | undefined;
  readonly account: string;
  readonly executorImage: string;
  readonly instanceId?: string | undefined;
}

/** Returns a canary for each controller, in the namespace that the controller manages. */
export async function canariesOf(
  client: KubeClient,
  programs: readonly InstalledProgram[],
  { home, configMap, namespace, account, executorImage, instanceId }: CanaryChoices,
): Promise<CanaryOptions[]> {
  const controllers = programs.filter(({ program }) => program === "controller");
  const canaries = await Promise.all(controllers.map(async (program) => {
    const setup = setupOf(program, home);
    const map = configMap ?? setup.configMap ?? DEFAULT_CONFIG_MAP;
    const settings = await readSettings(client, program, { namespace: home, configMap: map });
    return {
      namespace: namespace ?? setup.managedNamespace ?? home,
      account,
      executorImage,
      instanceId: instanceId ?? settings.instanceId,
      requiresTemplate: settings.requiresTemplate,
    };
  }));
  return [...new Map(canaries.map((canary) => [JSON.stringify(canary), canary])).values()];
}

/** The end of a canary; `message` is empty if it succeeded. */
export interface CanaryResult {
  readonly name: string;
  readonly succeeded: boolean;
  readonly message: string;
}

const Review = z.object({ status: z.object({ allowed: z.boolean().optional() }).optional() });
const Status = z.object({
  status: z.object({
    phase: z.string().optional(),
    message: z.string().optional(),
    finishedAt: z.string().nullish(),
    nodes: z.record(z.string(), z.object({ message: z.string().optional() })).nullish(),
  }).optional(),
});

/** Seconds after which the controller deletes a finished canary. */
const TTL_SECONDS = 600;

/**
 * Whether pods of an account may report their results. Without this permission all its pods fail, also in Argo. True if
 * the caller may not ask: then the canary shows it.
 */
export async function mayReport(client: KubeClient, { namespace, account }: CanaryOptions): Promise<boolean> {
  const user = `system:serviceaccount:${namespace}:${account}`;
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
  for (const verb of ["create", "patch"]) {
    const resourceAttributes = { verb, group: GROUP, resource: "workflowtaskresults", namespace };
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user, groups, resourceAttributes },
    };
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    try {
      if (Review.parse(await client.request("POST", path, { body })).status?.allowed !== true) return false;
    } catch (error) {
      if (classifyError(error) !== "forbidden") throw error;
      return true;
    }
  }
  return true;
}

/** Whether a canary has a pod, and its time limit. */
export interface CanaryForm {
  readonly withPod: boolean;
  readonly timeoutMillis: number;
}

/** Submits a canary; resolves to its name. With `dryRun`, the API server only checks it. */
export async function submitCanary(
  client: KubeClient,
  { namespace, account, executorImage, instanceId }: CanaryOptions,
  { withPod, timeoutMillis }: CanaryForm,
  options: { readonly dryRun?: boolean } = {},
): Promise<string> {
  const work = withPod
    ? { container: await containerOf(client, namespace, executorImage) }
    : { suspend: { duration: "0" } };
  const workflow = {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: {
      generateName: "takeover-canary-",
      ...(instanceId ? { labels: { [LABEL.instanceId]: instanceId } } : {}),
    },
    spec: {
      entrypoint: "main",
      serviceAccountName: account,
      activeDeadlineSeconds: Math.ceil(timeoutMillis / 1000),
      ttlStrategy: { secondsAfterCompletion: TTL_SECONDS },
      templates: [{ name: "main", ...work }],
    },
  };
  const made = await client.create(WORKFLOWS, namespace, workflow, options);
  return made.metadata.name!;
}

async function containerOf(client: KubeClient, namespace: string, image: string) {
  const security = await isRestricted(client, namespace) ? RESTRICTED : {};
  return { image, command: ["argoexec", "version"], ...security };
}

/**
 * Lets the API server check a pod like that of a canary without creating it, against Pod Security, quotas and admission
 * policies. The pod has no fields that the settings of the controller may add.
 * @throws {KubeError} if the API server rejects the pod.
 */
export async function rehearseCanaryPod(
  client: KubeClient,
  { namespace, account, executorImage }: CanaryOptions,
): Promise<void> {
  const container = await containerOf(client, namespace, executorImage);
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { generateName: "takeover-canary-" },
    spec: { restartPolicy: "Never", serviceAccountName: account, containers: [{ name: CONTAINER.main, ...container }] },
  };
  await client.create(PODS, namespace, pod, { dryRun: true });
}

/** Satisfies the Pod Security Standard `restricted`. The user is that of the executor's containers. */
const RESTRICTED = {
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 8737,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  },
};

/** Whether a namespace enforces the Pod Security Standard `restricted`; false if the caller may not read it. */
async function isRestricted(client: KubeClient, namespace: string): Promise<boolean> {
  try {
    const { metadata: { labels = {} } } = await client.get(NAMESPACES, undefined, namespace);
    return labels["pod-security.kubernetes.io/enforce"] === "restricted";
  } catch (error) {
    const sort = classifyError(error);
    if (sort !== "forbidden" && sort !== "notFound") throw error;
    return false;
  }
}

/** Argo's message about a workflow without a template. */
const NO_REFERENCE = "workflows must use workflowTemplateRef to be executed when the controller is in reference mode";

/** Whether a canary ended because its controller rejects all workflows without a template. */
export function isRejectedForTemplate({ requiresTemplate }: CanaryOptions, { message }: CanaryResult): boolean {
  return requiresTemplate && message.includes(NO_REFERENCE);
}

/** Returns the messages of a canary that has not finished, such as the reason why its pod does not start. */
export async function canaryTrouble(client: KubeClient, namespace: string, name: string): Promise<string> {
  const { status } = Status.parse(await client.get(WORKFLOWS, namespace, name));
  if (!status?.phase) return "the controller has not started it";
  const messages = [status.message, ...Object.values(status.nodes ?? {}).map(({ message }) => message)];
  return [...new Set(messages)].filter(Boolean).join("; ") || `its phase is ${status.phase}`;
}

/** Reads how a canary ended; undefined while it is running. */
export async function canaryEnd(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<CanaryResult | undefined> {
  const { status } = Status.parse(await client.get(WORKFLOWS, namespace, name));
  if (!status?.finishedAt) return undefined;
  const succeeded = status.phase === "Succeeded";
  return { name, succeeded, message: succeeded ? "" : status.message ?? `it ended with phase ${status.phase}` };
}
