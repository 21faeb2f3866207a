/** The Deployments of an installed Argo in a namespace, and the tool that manages each. */
import * as z from "zod";
import { parseJson } from "@tiphys/base/bounded_json";
import { DEPLOYMENTS, type KubeClient } from "@tiphys/kube";

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
  readonly args: readonly string[];
  readonly manager: Manager;
  /** The Helm release. */
  readonly release: string | undefined;
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
  metadata: z.object({ name: z.string(), labels: StringMap.optional(), annotations: StringMap.optional() }),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(z.object({
          name: z.string(),
          image: z.string().default(""),
          command: z.array(z.string()).default([]),
          args: z.array(z.string()).default([]),
        })),
      }),
    }),
  }),
});
const State = z.object({ image: z.string(), args: z.array(z.string()) });

/** The controller's flag with the image of the executor, which overrides the settings. */
export const EXECUTOR_FLAG = "--executor-image";

/** Reads the image of the executor from the arguments of a controller. */
export function executorImageOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === EXECUTOR_FLAG || arg.startsWith(`${EXECUTOR_FLAG}=`));
  return args[at] === EXECUTOR_FLAG ? args[at + 1] : args[at]?.slice(EXECUTOR_FLAG.length + 1);
}

/** Lists the controller and the server of a namespace, the controller first. */
export async function installedPrograms(client: KubeClient, namespace: string): Promise<InstalledProgram[]> {
  const { items } = await client.list(DEPLOYMENTS, namespace, { limit: 500 });
  const found = items.flatMap((item) => {
    const read = Deployment.safeParse(item);
    return read.success ? programsOf(read.data) : [];
  });
  return found.sort((a, b) => a.program < b.program ? -1 : 1);
}

function programsOf({ metadata, spec }: z.infer<typeof Deployment>): InstalledProgram[] {
  for (const { name, image, command, args } of spec.template.spec.containers) {
    const words = [...command, ...args];
    const program = programOf(image, words);
    if (program === undefined) continue;
    const { labels = {}, annotations = {} } = metadata;
    return [{
      program,
      name: metadata.name,
      container: name,
      image,
      args,
      manager: managerOf(labels, annotations),
      release: annotations["meta.helm.sh/release-name"] ?? labels["app.kubernetes.io/instance"],
      before: stateOf(annotations[BEFORE_TAKEOVER]),
    }];
  }
  return [];
}

function programOf(image: string, words: readonly string[]): ProgramName | undefined {
  if (/workflow-controller/.test(image) || words.some((word) => /workflow-controller$/.test(word))) return "controller";
  if (/\b(argocli|argo-server)\b/.test(image) && words.includes("server")) return "server";
  return undefined;
}

function managerOf(labels: Record<string, string>, annotations: Record<string, string>): Manager {
  const has = (prefix: string) => Object.keys({ ...labels, ...annotations }).some((key) => key.startsWith(prefix));
  if (has("argocd.argoproj.io/")) return "argocd";
  if (has("kustomize.toolkit.fluxcd.io/") || has("helm.toolkit.fluxcd.io/")) return "flux";
  if (labels["app.kubernetes.io/managed-by"] === "Helm" || has("meta.helm.sh/")) return "helm";
  return "manifests";
}

function stateOf(text: string | undefined): ProgramState | undefined {
  if (text === undefined) return undefined;
  try {
    return State.parse(parseJson(text));
  } catch {
    return undefined;
  }
}
