/** The Deployments of an installed Argo in a namespace, and the tool that manages each. */
import * as z from "zod";
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { UserError } from "@tiphys/base/user_error";
import { classifyError, DEPLOYMENTS, type KubeClient } from "@tiphys/kube";
import { rightToAdd } from "./right_to_add.ts";

/** The programs of an installation whose images are replaced. */
export type ProgramName = "controller" | "server";

/** The tool that owns a Deployment. GitOps tools revert changes by others at once, Helm at its next upgrade. */
export type Manager = "manifests" | "helm" | "argocd" | "flux";

/** One Deployment of an installation. */
export interface InstalledProgram {
  readonly program: ProgramName;
  readonly name: string;
  readonly container: string;
  readonly image: string;
  /** The command; empty for that of the image. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** The environment variables with a literal value. */
  readonly env: Readonly<Record<string, string>>;
  /** The service account of its pods. */
  readonly account: string;
  readonly replicas: number;
  /** The strategy of a rollout: `RollingUpdate` or `Recreate`. */
  readonly strategy: string;
  /** Whether rollouts are paused. */
  readonly paused: boolean;
  readonly manager: Manager;
  /** The Helm release. */
  readonly release: string | undefined;
  /** The version of the Helm chart. */
  readonly chartVersion: string | undefined;
  /** The object that controls the Deployment and reverts changes, as `Kind/name`. */
  readonly owner: string | undefined;
  /** The version in the image's tag or in the labels, as `v4.1.2`. */
  readonly version: string | undefined;
  /** The state before the takeover, if one has recorded it. */
  readonly before: ProgramState | undefined;
}

/** The part of a Deployment that a takeover changes. */
export interface ProgramState {
  readonly image: string;
  readonly args: readonly string[];
}

/** The annotation of a Deployment in which a takeover records the state before it, as JSON. */
export const BEFORE_TAKEOVER = "workflows.argoproj.io/before-takeover";

const StringMap = z.record(z.string(), z.string());
const Deployment = z.object({
  metadata: z.object({
    name: z.string(),
    labels: StringMap.optional(),
    annotations: StringMap.optional(),
    ownerReferences: z.array(z.object({ kind: z.string(), name: z.string(), controller: z.boolean().optional() }))
      .default([]),
    managedFields: z.array(z.unknown()).default([]),
  }),
  spec: z.object({
    replicas: z.int().default(1),
    paused: z.boolean().default(false),
    strategy: z.object({ type: z.string().default("RollingUpdate") }).default({ type: "RollingUpdate" }),
    template: z.object({
      spec: z.object({
        serviceAccountName: z.string().default("default"),
        containers: z.array(z.object({
          name: z.string(),
          image: z.string().default(""),
          command: z.array(z.string()).default([]),
          args: z.array(z.string()).default([]),
          env: z.array(z.object({ name: z.string(), value: z.string().optional() })).default([]),
        })),
      }),
    }),
  }),
});
type Deployment = z.infer<typeof Deployment>;
const State = z.object({ image: z.string(), args: z.array(z.string()) });
/** The record of a takeover: the earlier state, and the image that replaced it. */
const Taken = State.extend({ takenBy: z.string().optional() });

/**
 * Lists the controllers and servers of a namespace, the controllers first.
 * @throws {UserError} with the rule to add if the caller may not list Deployments.
 */
export async function installedPrograms(client: KubeClient, namespace: string): Promise<InstalledProgram[]> {
  try {
    return await listPrograms(client, namespace);
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
    throw new UserError(`Deployments of namespace ${namespace}: ${rightToAdd("list", "apps", "deployments")}`);
  }
}

async function listPrograms(client: KubeClient, namespace: string | undefined): Promise<InstalledProgram[]> {
  const { items } = await client.list(DEPLOYMENTS, namespace, { limit: MAX_DEPLOYMENTS });
  const found = items.flatMap((item) => {
    const read = Deployment.safeParse(item);
    return read.success ? programsOf(read.data) : [];
  });
  return found.sort((a, b) => a.program < b.program ? -1 : a.program > b.program ? 1 : a.name < b.name ? -1 : 1);
}

const MAX_DEPLOYMENTS = 500;

/**
 * Lists the namespaces in which a controller or server is installed; empty if the caller may not list all Deployments.
 */
export async function namespacesWithPrograms(client: KubeClient): Promise<string[]> {
  try {
    const { items } = await client.list(DEPLOYMENTS, undefined, { limit: MAX_DEPLOYMENTS });
    const namespaces = items.flatMap((item) => {
      const read = Deployment.safeParse(item);
      return read.success && programsOf(read.data).length > 0 ? [item.metadata.namespace ?? ""] : [];
    });
    return [...new Set(namespaces)].sort();
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
    return [];
  }
}

function programsOf({ metadata, spec }: Deployment): InstalledProgram[] {
  const { labels = {}, annotations = {} } = metadata;
  const { template: { spec: pod }, strategy: { type: strategy }, replicas, paused } = spec;
  for (const { name, image, command, args, env } of pod.containers) {
    const program = programOf(image, [...command, ...args]);
    if (program === undefined) continue;
    const owner = metadata.ownerReferences.find(({ controller }) => controller);
    return [{
      program,
      name: metadata.name,
      container: name,
      image,
      command,
      args,
      env: Object.fromEntries(
        env.flatMap((variable) => variable.value === undefined ? [] : [[variable.name, variable.value]]),
      ),
      account: pod.serviceAccountName,
      replicas,
      strategy,
      paused,
      manager: managerOf(metadata),
      release: annotations["meta.helm.sh/release-name"] ?? labels["app.kubernetes.io/instance"],
      chartVersion: /^argo-workflows-(\d.*)$/.exec(labels["helm.sh/chart"] ?? "")?.[1],
      owner: owner && `${owner.kind}/${owner.name}`,
      version: versionOf(image, labels["app.kubernetes.io/version"]),
      before: stateOf(annotations[BEFORE_TAKEOVER], image),
    }];
  }
  return [];
}

/** The last segment of an image's path, also if a registry has renamed it: `argo-workflow-controller`. */
const CONTROLLER_IMAGE = /(^|[-_])workflow-?controller$/;
const SERVER_IMAGE = /(^|[-_])(argo-?cli|argo-server|argo-workflows?-(cli|server))$/;

function programOf(image: string, words: readonly string[]): ProgramName | undefined {
  const name = repositoryOf(image).split("/").at(-1)!;
  if (CONTROLLER_IMAGE.test(name) || words.some((word) => baseName(word) === "workflow-controller")) {
    return "controller";
  }
  if (!words.includes("server")) return undefined;
  return SERVER_IMAGE.test(name) || words.some((word) => baseName(word) === "argo") ? "server" : undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The image without its tag and digest. */
function repositoryOf(image: string): string {
  const [named = ""] = image.split("@");
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  return colon < 0 ? named : named.slice(0, colon);
}

function versionOf(image: string, label: string | undefined): string | undefined {
  const [named = ""] = image.split("@");
  const tag = named.slice(repositoryOf(image).length + 1);
  return [tag, label].map((text) => /^v?\d+\.\d+(\.\d+)?/.exec(text ?? "")?.[0]).find((text) => text !== undefined);
}

function managerOf({ labels = {}, annotations = {}, managedFields }: Deployment["metadata"]): Manager {
  const has = (prefix: string) => Object.keys({ ...labels, ...annotations }).some((key) => key.startsWith(prefix));
  // Argo CD can be configured to track objects by a label that Helm sets, too: then only the field owner shows it.
  const writers = managedFields.map((entry) => textIn(fieldsOf(entry), "manager") ?? "");
  if (has("argocd.argoproj.io/") || writers.some((name) => name.startsWith("argocd-"))) return "argocd";
  if (has("kustomize.toolkit.fluxcd.io/") || has("helm.toolkit.fluxcd.io/")) return "flux";
  if (labels["app.kubernetes.io/managed-by"] === "Helm" || has("meta.helm.sh/")) return "helm";
  return "manifests";
}

/**
 * Reads the record of a takeover. It is obsolete if the Deployment has an image again that the takeover did not set and
 * that comes from the earlier repository: a tool has restored the installation, and may have upgraded it.
 */
function stateOf(text: string | undefined, image: string): ProgramState | undefined {
  if (text === undefined) return undefined;
  try {
    const { takenBy, ...before } = Taken.parse(parseJson(text));
    const isRestored = takenBy !== undefined && image !== takenBy && repositoryOf(image) === repositoryOf(before.image);
    return isRestored ? undefined : before;
  } catch {
    return undefined;
  }
}

/** The record of a takeover, as text. */
export function recordText({ image, args }: ProgramState, takenBy: string): string {
  return JSON.stringify({ image, args, takenBy });
}
