/**
 * Determines where a path of the main container is stored: in its image, in a user's volume, or in an input artifact.
 * The pod builder mounts volumes accordingly, and the executor reads accordingly. Loads little code, since the emissary
 * uses it too.
 */
import { isFolder } from "../artifact/location.ts";
import { hasStore } from "../artifact/stores.ts";
import { CONTAINER } from "@tiphys/base/constants";
import type { TypesRunBy } from "../api/template_types.ts";
import type { PodTemplateType } from "../templates/template_type.ts";
import { isWithin } from "./paths.ts";

/** The template types that the executor runs. The table of types would be loaded in front of every command of a pod. */
const EXECUTOR_TYPES = Object.keys(
  { resource: true, data: true } satisfies Record<TypesRunBy<"executor">, true>,
) as TypesRunBy<"executor">[];

/** A volume mount. */
interface Mount {
  readonly name: string;
  readonly mountPath: string;
}

interface MountHolder<M extends Mount> {
  readonly volumeMounts?: readonly M[];
}

interface InputArtifact {
  readonly name: string;
  readonly path?: string;
  readonly optional?: boolean;
  readonly archive?: { readonly tar?: unknown; readonly zip?: unknown };
}

/**
 * The fields of a template that determine this, available in the whole template and in the part that the executor
 * reads.
 */
export interface PathTemplate<M extends Mount = Mount> extends Partial<Record<PodTemplateType, unknown>> {
  readonly container?: MountHolder<M>;
  readonly script?: MountHolder<M>;
  readonly containerSet?: MountHolder<M> & {
    readonly containers?: readonly (MountHolder<M> & { readonly name?: string })[];
  };
  readonly inputs?: { readonly artifacts?: readonly InputArtifact[] };
}

/** Returns the mounts of user volumes in `main`; for a container set, those that all containers share. */
export function userVolumeMounts<M extends Mount>(template: PathTemplate<M>): readonly M[] {
  const holder = template.container ?? template.script ?? template.containerSet;
  return holder?.volumeMounts ?? [];
}

/** Returns all mounts of user volumes in `main`, including those that the container of a set has alone. */
export function mountsOfMain<M extends Mount>(template: PathTemplate<M>): readonly M[] {
  const member = template.containerSet?.containers?.find(({ name }) => name === CONTAINER.main);
  return [...userVolumeMounts(template), ...member?.volumeMounts ?? []];
}

/**
 * Returns the innermost user mount that contains the path, or undefined: files there are accessed through the volume.
 */
export function overlappingMount<M extends Mount>(template: PathTemplate<M>, path: string): M | undefined {
  return userVolumeMounts(template)
    .filter((mount) => isWithin(mount.mountPath, path))
    .toSorted((a, b) => b.mountPath.length - a.mountPath.length)[0];
}

/**
 * Whether the aux container finds an output at this path only in the copy that main's emissary makes; otherwise it
 * reads the mirror of main's volumes. In the legacy layout, inputs are volumes too. In the init-less layout, they are
 * links that main may have replaced, so the copy is used.
 */
export function isBaseImagePath(template: PathTemplate, path: string, isInitless: boolean): boolean {
  if (overlappingMount(template, path)) return false;
  if (isInitless) return true;
  return !(template.inputs?.artifacts ?? []).some((artifact) =>
    artifact.path && isWithin(artifact.path, path) && (!artifact.optional || hasStore(artifact))
  );
}

/**
 * Returns the inputs that are mounted at their paths in the init-less layout, although main's container is created
 * before they are loaded: those that are certainly folders, so that there is something to mount. All others become
 * links. An input inside another input is also a link, because the outer input may contain an entry at its path.
 */
export function mountedFolders(template: PathTemplate): readonly InputArtifact[] {
  // A main container that is the executor reads inputs where they are loaded.
  if (EXECUTOR_TYPES.some((type) => template[type])) return [];
  const inputs = template.inputs?.artifacts ?? [];
  return inputs.filter((artifact) => {
    const { path, optional } = artifact;
    if (!path || optional || !isWholeFolder(artifact) || overlappingMount(template, path)) return false;
    return !inputs.some((other) => other !== artifact && other.path && isWithin(other.path, path));
  });
}

function isWholeFolder(artifact: InputArtifact): boolean {
  if (artifact.archive?.tar || artifact.archive?.zip) return false;
  return isFolder(artifact);
}
