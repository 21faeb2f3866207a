/** The choice of a pod's layout: the requested or configured one, unless the template would not work in it. */
import { isRunBy, templateType } from "@tiphys/model/templates";
import type { PodContainer, Template, UserContainer } from "@tiphys/model/api";
import { ANNOTATION, CONTAINER } from "@tiphys/base/constants";
import { mountedFolders, overlappingMount } from "@tiphys/model/pod";
import { INITLESS } from "./initless.ts";
import type { PodLayout } from "../layout.ts";
import { LEGACY } from "./legacy.ts";
import { PodBuildError, type PodRequest } from "../request.ts";
import { nodeSelectorOf } from "../parts/scheduling.ts";

/** A layout, with the reason if it is not the requested or configured one. */
export interface LayoutChoice {
  readonly layout: PodLayout;
  readonly reason?: string;
}

/**
 * Chooses the layout of a pod from the request and its main containers. A pod never changes its layout.
 * @throws {PodBuildError} if the annotation does not name a layout.
 */
export function chooseLayout(request: PodRequest, mains: readonly PodContainer[]): LayoutChoice {
  if (preferredLayout(request) === "legacy") return { layout: LEGACY };
  const reason = request.legacyLayoutReason ?? reasonForLegacy(request, mains);
  return reason ? { layout: LEGACY, reason } : { layout: INITLESS };
}

function preferredLayout({ requestedLayout, config }: PodRequest): "initless" | "legacy" {
  if (requestedLayout === undefined) return config.layout;
  if (requestedLayout === "initless" || requestedLayout === "legacy") return requestedLayout;
  if (requestedLayout === "single-container") return "initless";
  throw new PodBuildError(
    `Expected the annotation ${ANNOTATION.podLayout} to be "initless", "single-container" or "legacy", ` +
      `got "${requestedLayout}"`,
  );
}

/** Whether the annotation or the settings request pods without a supervisor where that is possible. */
export function prefersSingleContainer({ requestedLayout, config }: PodRequest): boolean {
  return requestedLayout === undefined ? config.singleContainer === true : requestedLayout === "single-container";
}

/**
 * The reason why a pod cannot have the init-less layout; undefined if it can. In that layout, the user's containers
 * start before inputs are loaded, and most input artifacts are links that main's container creates: main must be able
 * to write to the parent folder of the artifact's path, and other containers do not see the link.
 */
function reasonForLegacy(request: PodRequest, mains: readonly PodContainer[]): string | undefined {
  const { template, spec } = request;
  if (nodeSelectorOf(request)?.["kubernetes.io/os"] === "windows") return "Windows has no image volumes";
  const inputs = (template.inputs?.artifacts ?? []).filter(({ path }) => path);
  // If main is the executor, it reads its inputs directly from the input volume.
  const [input] = inputs;
  if (input === undefined || isRunBy(templateType(template), "executor")) return undefined;
  const eager = mains.find((main) => main.startupProbe || main.lifecycle?.postStart);
  if (eager) {
    const what = eager.startupProbe ? "startup probe" : "postStart hook";
    return `${eager.name} has a ${what}, which would not wait for the input artifact "${input.name}"`;
  }
  const early = template.initContainers?.find((container) =>
    container.mirrorVolumeMounts || sharesInputVolume(template, container)
  );
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
  const mirrors = template.sidecars?.find((sidecar) => sidecar.mirrorVolumeMounts);
  return mirrors ? `${mirrors.name} mirrors main's mounts: ${which} needs one` : undefined;
}

/** Whether a container mounts a volume into which an input artifact is loaded. */
function sharesInputVolume(template: Template, { volumeMounts = [] }: UserContainer): boolean {
  const volumes = (template.inputs?.artifacts ?? []).map(({ path }) => path && overlappingMount(template, path)?.name);
  return volumeMounts.some(({ name }) => volumes.includes(name));
}
