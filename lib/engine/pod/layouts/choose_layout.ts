/** The choice of a pod's layout: the one it is meant to have, unless the template could not work in it. */
import { isRunBy, templateType } from "@tiphys/model/templates";
import type { PodContainer, Template, UserContainer } from "@tiphys/model/api";
import { ANNOTATION, CONTAINER } from "@tiphys/base/constants";
import { mountedFolders, overlappingMount } from "@tiphys/model/pod";
import { INITLESS } from "./initless.ts";
import type { PodLayout } from "../layout.ts";
import { LEGACY } from "./legacy.ts";
import { PodBuildError, type PodRequest } from "../request.ts";
import { nodeSelectorOf } from "../parts/scheduling.ts";

/** A layout, and why it is not the one the pod was meant to have, if so. */
export interface LayoutChoice {
  readonly layout: PodLayout;
  readonly reason?: string;
}

/**
 * Chooses once per pod, from the request and its main-level containers; a pod keeps its layout for life.
 * @throws {PodBuildError} for a wish that names no layout.
 */
export function chooseLayout(request: PodRequest, mains: readonly PodContainer[]): LayoutChoice {
  if (meantLayout(request) === "legacy") return { layout: LEGACY };
  const reason = request.legacyBecause ?? reasonForLegacy(request, mains);
  return reason ? { layout: LEGACY, reason } : { layout: INITLESS };
}

function meantLayout({ layoutWish, config }: PodRequest): "initless" | "legacy" {
  if (layoutWish === undefined) return config.layout;
  if (layoutWish === "initless" || layoutWish === "legacy") return layoutWish;
  if (layoutWish === "single-container") return "initless";
  throw new PodBuildError(
    `Expected the annotation ${ANNOTATION.podLayout} to be "initless", "single-container" or "legacy", ` +
      `got "${layoutWish}"`,
  );
}

/** Whether a pod of the init-less layout is to do without a supervisor where it can: the annotation says so, or the settings. */
export function isMeantToBeSingle({ layoutWish, config }: PodRequest): boolean {
  return layoutWish === undefined ? config.singleContainer === true : layoutWish === "single-container";
}

/**
 * The reason why a pod cannot have the init-less layout; undefined when it can. In that layout the containers of the
 * user are started before inputs are loaded, and most input artifacts are links that main's own container makes: main
 * must be able to write above the artifact's path, and nobody else sees the link.
 */
function reasonForLegacy(request: PodRequest, mains: readonly PodContainer[]): string | undefined {
  const { template, spec } = request;
  if (nodeSelectorOf(request)?.["kubernetes.io/os"] === "windows") return "Windows has no image volumes";
  const inputs = (template.inputs?.artifacts ?? []).filter(({ path }) => path);
  // If main is the executor, it reads its inputs where they are loaded.
  const [input] = inputs;
  if (input === undefined || isRunBy(templateType(template), "executor")) return undefined;
  const eager = mains.find((main) => main.startupProbe || main.lifecycle?.postStart);
  if (eager) {
    const what = eager.startupProbe ? "startup probe" : "postStart hook";
    return `${eager.name} has a ${what}, which would not wait for the input artifact "${input.name}"`;
  }
  const early = template.initContainers?.find((one) => one.mirrorVolumeMounts || sharesInputVolume(template, one));
  if (early) return `${early.name} runs before main, and would not find the input artifact "${input.name}"`;
  const mounted = mountedFolders(template).map(({ name }) => name);
  const linked = inputs.filter(({ name, path }) => !overlappingMount(template, path!) && !mounted.includes(name));
  const [link] = linked;
  if (link === undefined) return undefined;
  const which = `the input artifact "${link.name}" at ${link.path}`;
  const main = mains.find(({ name }) => name === CONTAINER.main);
  if (main?.securityContext?.readOnlyRootFilesystem) {
    return `main's root file system is read-only: ${which} needs a mount`;
  }
  const pod = template.securityContext ?? spec.securityContext;
  const user = main?.securityContext?.runAsUser ?? pod?.runAsUser;
  const nonRoot = main?.securityContext?.runAsNonRoot ?? pod?.runAsNonRoot;
  if (user ? user !== 0 : nonRoot) return `main does not run as root: ${which} needs a mount`;
  const mirrors = template.sidecars?.find((one) => one.mirrorVolumeMounts);
  return mirrors ? `${mirrors.name} mirrors main's mounts: ${which} needs one` : undefined;
}

/** Whether a container mounts a volume that an input artifact is loaded into. */
function sharesInputVolume(template: Template, { volumeMounts = [] }: UserContainer): boolean {
  const volumes = (template.inputs?.artifacts ?? []).map(({ path }) => path && overlappingMount(template, path)?.name);
  return volumeMounts.some(({ name }) => volumes.includes(name));
}
