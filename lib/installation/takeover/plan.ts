/** The plan of a takeover: the replacements, also as input for the tools that manage the installation. */
import { stringifyYaml } from "@tiphys/model/yaml";
import { EXECUTOR_FLAG, type InstalledProgram, type Manager, type ProgramState } from "./deployments.ts";

/** The images of a release. */
export interface Images {
  readonly controller: string;
  readonly executor: string;
  readonly server: string;
}

/** The change of one Deployment. */
export interface Exchange {
  readonly program: InstalledProgram;
  readonly to: ProgramState;
}

/** The images of a registry and tag, such as `docker.io/tiphys` and `v0.1.0`. */
export function imagesOf(registry: string, tag: string): Images {
  const image = (name: string) => `${registry}/${name}:${tag}`;
  return { controller: image("workflow-controller"), executor: image("argoexec"), server: image("argo-server") };
}

/** Plans the replacement of every program that does not run its image yet. */
export function planOf(programs: readonly InstalledProgram[], images: Images): Exchange[] {
  return programs.flatMap((program) => {
    const to = program.program === "controller"
      ? { image: images.controller, args: withExecutor(program.args, images.executor) }
      : { image: images.server, args: program.args };
    const isThere = program.image === to.image && JSON.stringify(program.args) === JSON.stringify(to.args);
    return isThere ? [] : [{ program, to }];
  });
}

/** The instance ID of a controller, from its arguments or its settings. */
export function instanceOf(programs: readonly InstalledProgram[], setting: string | undefined): string | undefined {
  const args = programs.find(({ program }) => program === "controller")?.args ?? [];
  const at = args.findIndex((arg) => arg === "--instanceid" || arg.startsWith("--instanceid="));
  if (at < 0) return setting;
  return args[at] === "--instanceid" ? args[at + 1] : args[at]!.slice("--instanceid=".length);
}

/** The arguments of a controller with an executor image. */
function withExecutor(args: readonly string[], image: string): string[] {
  const others = args.filter((arg, index) =>
    arg !== EXECUTOR_FLAG && !arg.startsWith(`${EXECUTOR_FLAG}=`) && args[index - 1] !== EXECUTOR_FLAG
  );
  return [...others, EXECUTOR_FLAG, image];
}

/** Instructions for installations that a tool manages: what to set where, or which command to run. */
export function instructionsFor(
  manager: Manager,
  { exchanges, images, namespace }: {
    readonly exchanges: readonly Exchange[];
    readonly images: Images;
    readonly namespace: string;
  },
): string[] {
  const release = exchanges.find(({ program }) => program.release !== undefined)?.program.release ?? "RELEASE";
  const helm = ["Values for the chart argo-workflows:", ...indentLines(stringifyYaml(valuesOf(images)))];
  const kustomize = ["Patches for a kustomization:", ...indentLines(stringifyYaml({ patches: patchesOf(exchanges) }))];
  switch (manager) {
    case "helm":
      return [
        ...helm,
        `Run: helm upgrade ${release} argo-workflows --repo https://argoproj.github.io/argo-helm --namespace ${namespace} ` +
        "--reuse-values --values FILE",
      ];
    case "argocd":
    case "flux":
      return ["Commit one of these to the repository that the installation comes from:", "", ...helm, "", ...kustomize];
    case "manifests":
      return kustomize;
  }
}

function indentLines(text: string): string[] {
  return text.trimEnd().split("\n").map((line) => `  ${line}`);
}

function valuesOf({ controller, executor, server }: Images): object {
  return {
    controller: { image: partsOf(controller) },
    executor: { image: partsOf(executor) },
    server: { image: partsOf(server) },
  };
}

function partsOf(image: string): object {
  const [, registry, repository, tag] = /^([^/]+)\/(.+):([^:/]+)$/.exec(image) ?? [];
  return registry === undefined ? { repository: image } : { registry, repository, tag };
}

function patchesOf(exchanges: readonly Exchange[]): object[] {
  return exchanges.map(({ program, to }) => ({
    target: { kind: "Deployment", name: program.name },
    patch: stringifyYaml({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: program.name },
      spec: { template: { spec: { containers: [{ name: program.container, image: to.image, args: [...to.args] }] } } },
    }),
  }));
}
