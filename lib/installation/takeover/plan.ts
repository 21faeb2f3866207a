/** The plan of a takeover: the replacements, also as input for the tools that manage the installation. */
import { stringifyYaml } from "@tiphys/model/yaml";
import { EXECUTOR_FLAG } from "../controller_setup.ts";
import type { InstalledProgram, Manager, ProgramState } from "../deployments.ts";

/** The images of a release. */
export interface Images {
  readonly controller: string;
  readonly executor: string;
  readonly server: string;
}

/** The change of one Deployment. */
export interface Replacement {
  readonly program: InstalledProgram;
  readonly to: ProgramState;
}

/** The images of a registry and tag, such as `docker.io/tiphys` and `v0.1.0`. */
export function imagesOf(registry: string, tag: string): Images {
  const image = (name: string) => `${registry}/${name}:${tag}`;
  return { controller: image("workflow-controller"), executor: image("argoexec"), server: image("argo-server") };
}

/** Plans the replacement of every program that does not run its image yet. */
export function planOf(programs: readonly InstalledProgram[], images: Images): Replacement[] {
  return programs.flatMap((program) => {
    const to = program.program === "controller"
      ? { image: images.controller, args: withExecutor(program.args, images.executor) }
      : { image: images.server, args: program.args };
    const isThere = program.image === to.image && JSON.stringify(program.args) === JSON.stringify(to.args);
    return isThere ? [] : [{ program, to }];
  });
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
    readonly exchanges: readonly Replacement[];
    readonly images: Images;
    readonly namespace: string;
  },
): string[] {
  const { release = "RELEASE", chartVersion } =
    exchanges.find(({ program }) => program.release !== undefined)?.program ?? {};
  const helm = ["Values for the chart argo-workflows:", ...indentLines(stringifyYaml(valuesOf(images)))];
  const kustomize = ["Patches for a kustomization:", ...indentLines(stringifyYaml({ patches: patchesOf(exchanges) }))];
  if (exchanges.some(({ program: { name } }) => !USUAL_NAMES.has(name))) {
    kustomize.push("If the kustomization sets a namePrefix or nameSuffix, remove it from the names in the patches.");
  }
  switch (manager) {
    case "helm":
      return [
        ...helm,
        `Run: helm upgrade ${release} argo-workflows --repo https://argoproj.github.io/argo-helm --namespace ${namespace} ` +
        `${chartVersion ? `--version ${chartVersion} ` : ""}--reuse-values --values FILE`,
      ];
    case "argocd":
    case "flux":
      return ["Commit one of these to the repository that the installation comes from:", "", ...helm, "", ...kustomize];
    case "manifests":
      return kustomize;
  }
}

/** The names in Argo's manifests. */
const USUAL_NAMES: ReadonlySet<string> = new Set(["workflow-controller", "argo-server"]);

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

function patchesOf(exchanges: readonly Replacement[]): object[] {
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
