/**
 * The place of a path of main: in its image, in a volume of the user, or in an input artifact. The builder mounts by
 * the answer and the executor reads by it, so both ask here. Loads next to nothing: the emissary asks too.
 */
import { isFolder } from "../artifact/location.ts";
import { hasStore } from "../artifact/stores.ts";
import { CONTAINER } from "@tiphys/base/constants";
import { isWithin } from "./paths.ts";

/** A volume, where it is mounted. */
interface Mount {
  readonly name: string;
  readonly mountPath: string;
}

interface Holder<M extends Mount> {
  readonly volumeMounts?: readonly M[];
}

interface InputArtifact {
  readonly name: string;
  readonly path?: string;
  readonly optional?: boolean;
  readonly archive?: { readonly tar?: unknown; readonly zip?: unknown };
}

/**
 * The fields of a template that decide. Both the whole template and the few fields that the executor reads have them.
 */
export interface PathTemplate<M extends Mount = Mount> {
  readonly container?: Holder<M>;
  readonly script?: Holder<M>;
  readonly containerSet?: Holder<M> & { readonly containers?: readonly (Holder<M> & { readonly name?: string })[] };
  readonly resource?: unknown;
  readonly data?: unknown;
  readonly inputs?: { readonly artifacts?: readonly InputArtifact[] };
}

/** Mounts that user volumes have in `main`; of a container set, those that all members share. */
export function userVolumeMounts<M extends Mount>(template: PathTemplate<M>): readonly M[] {
  const holder = template.container ?? template.script ?? template.containerSet;
  return holder?.volumeMounts ?? [];
}

/** All mounts that `main` has of user volumes; in a container set also those that the member of that name has alone. */
export function mountsOfMain<M extends Mount>(template: PathTemplate<M>): readonly M[] {
  const member = template.containerSet?.containers?.find(({ name }) => name === CONTAINER.main);
  return [...userVolumeMounts(template), ...member?.volumeMounts ?? []];
}

/** The innermost user mount that is, or holds, the path: there files are read and written through the volume. */
export function overlappingMount<M extends Mount>(template: PathTemplate<M>, path: string): M | undefined {
  return userVolumeMounts(template)
    .filter((mount) => isWithin(mount.mountPath, path))
    .toSorted((a, b) => b.mountPath.length - a.mountPath.length)[0];
}

/**
 * Whether the aux container finds an output at this path only in the copy that main's emissary makes. Otherwise it reads
 * the mirror of main's volumes. In the legacy layout inputs are volumes too; in the init-less one they are links that
 * main may have replaced, so there its copy counts.
 */
export function isBaseImagePath(template: PathTemplate, path: string, isInitless: boolean): boolean {
  if (overlappingMount(template, path)) return false;
  if (isInitless) return true;
  return !(template.inputs?.artifacts ?? []).some((artifact) =>
    artifact.path && isWithin(artifact.path, path) && (!artifact.optional || hasStore(artifact))
  );
}

/**
 * The inputs that in the init-less layout are mounted at their paths, although main's container is made before they are
 * there: those that are folders whatever comes of them, so that there is something to mount. All others become links.
 * One inside another input is a link as well, because what the outer one brings may lie at its path.
 */
export function mountedFolders(template: PathTemplate): readonly InputArtifact[] {
  // Main of these is the executor itself, which looks where inputs are loaded.
  if (template.resource || template.data) return [];
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
