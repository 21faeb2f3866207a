/** Which layout a pod gets: the configured one, unless the template could not work in it. */
import type { PodContainer, Template } from "../api/mod.ts";
import { INITLESS } from "./initless.ts";
import type { PodLayout } from "./layout.ts";
import { LEGACY } from "./legacy.ts";
import type { PodRequest } from "./request.ts";
import { overlappingMount } from "./template_containers.ts";

/** A layout, and why it is not the configured one, if so. */
export interface LayoutChoice {
  readonly layout: PodLayout;
  readonly reason?: string;
}

/** Chooses once per pod; a pod keeps its layout for life. */
export function chooseLayout(request: PodRequest): LayoutChoice {
  if (request.config.layout === "legacy") return { layout: LEGACY };
  const reason = reasonForLegacy(request);
  return reason ? { layout: LEGACY, reason } : { layout: INITLESS };
}

/**
 * What stands against the init-less layout. There an input artifact is a link that main's own container makes, so main
 * must be able to write above the artifact's path, and nobody else sees the link.
 */
function reasonForLegacy({ template, spec }: PodRequest): string | undefined {
  if (template.nodeSelector?.["kubernetes.io/os"] === "windows") return "Windows has no image volumes";
  const linked = (template.inputs?.artifacts ?? []).filter(({ path }) => path && !overlappingMount(template, path));
  if (!linked.length) return undefined;
  const which = `the input artifact "${linked[0].name}" at ${linked[0].path}`;
  const main = mainContainer(template);
  if (main?.securityContext?.readOnlyRootFilesystem) {
    return `main's root file system is read-only: ${which} needs a mount`;
  }
  const pod = template.securityContext ?? spec.securityContext;
  const user = main?.securityContext?.runAsUser ?? pod?.runAsUser;
  const nonRoot = main?.securityContext?.runAsNonRoot ?? pod?.runAsNonRoot;
  if (user ? user !== 0 : nonRoot) return `main does not run as root: ${which} needs a mount`;
  const mirrors = [...template.sidecars ?? [], ...template.initContainers ?? []].find((one) => one.mirrorVolumeMounts);
  return mirrors ? `${mirrors.name} mirrors main's mounts: ${which} needs one` : undefined;
}

/** The container in which artifacts appear; a container set may have none. */
function mainContainer(template: Template): Partial<PodContainer> | undefined {
  return template.container ?? template.script ?? template.containerSet?.containers.find(({ name }) => name === "main");
}
