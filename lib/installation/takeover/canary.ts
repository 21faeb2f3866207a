/** The canary: a small workflow that must succeed after a takeover. */
import * as z from "zod";
import { API_VERSION, GROUP, LABEL } from "@tiphys/base/constants";
import { type KubeClient, WORKFLOWS } from "@tiphys/kube";

/** The place where a canary runs, and its image. */
export interface CanaryOptions {
  readonly namespace: string;
  /** The service account of its pod. */
  readonly account: string;
  readonly executorImage: string;
  /** The instance ID of the controller, if any: it runs only workflows with this label. */
  readonly instanceId: string | undefined;
}

/** The end of a canary; `message` is empty if it succeeded. */
export interface CanaryEnd {
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
const KEPT_SECONDS = 600;

/** Whether pods of an account may report their results. Without this permission all its pods fail, also in Argo. */
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
    const review = await client.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body });
    if (Review.parse(review).status?.allowed !== true) return false;
  }
  return true;
}

/** Submits a canary, with or without a pod; resolves to its name. */
export async function submitCanary(
  client: KubeClient,
  { namespace, account, executorImage, instanceId }: CanaryOptions,
  { withPod, timeoutMillis }: { readonly withPod: boolean; readonly timeoutMillis: number },
): Promise<string> {
  const work = withPod
    ? { container: { image: executorImage, command: ["argoexec", "version"] } }
    : { suspend: { duration: "0" } };
  const made = await client.create(WORKFLOWS, namespace, {
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
      ttlStrategy: { secondsAfterCompletion: KEPT_SECONDS },
      templates: [{ name: "main", ...work }],
    },
  });
  return made.metadata.name!;
}

/** Returns the messages of a canary that has not finished, such as the reason why its pod does not start. */
export async function canaryTrouble(client: KubeClient, namespace: string, name: string): Promise<string> {
  const { status } = Status.parse(await client.get(WORKFLOWS, namespace, name));
  if (!status?.phase) return "the controller has not started it";
  const messages = [status.message, ...Object.values(status.nodes ?? {}).map(({ message }) => message)];
  return [...new Set(messages)].filter(Boolean).join("; ") || `its phase is ${status.phase}`;
}

/** Reads how a canary ended; undefined while it is running. */
export async function canaryEnd(client: KubeClient, namespace: string, name: string): Promise<CanaryEnd | undefined> {
  const { status } = Status.parse(await client.get(WORKFLOWS, namespace, name));
  if (!status?.finishedAt) return undefined;
  const succeeded = status.phase === "Succeeded";
  return { name, succeeded, message: succeeded ? "" : status.message ?? `it ended with phase ${status.phase}` };
}
