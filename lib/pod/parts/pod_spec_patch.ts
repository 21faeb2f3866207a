/** podSpecPatch: what users change in a pod that is already built. */
import { UserError } from "../../user_error.ts";
import { parseYaml } from "../../yaml/mod.ts";
import { PodSpecPatch, typeErrors } from "../../api/mod.ts";
import { CONTAINER } from "../../constants.ts";
import { applyStrategicMergePatch } from "../../kube/patch/strategic.ts";
import type { PodDraft } from "../layout.ts";
import { PodBuildError } from "../request.ts";

/** Names under which a patch may speak of the aux container, whatever the layout. */
const AUX_ALIASES: readonly string[] = [CONTAINER.wait, CONTAINER.supervisor, CONTAINER.init, "executor"];

/**
 * Applies the workflow's patch, then the template's.
 * @throws {PodBuildError} when one cannot be read.
 */
export function applyPodSpecPatches(draft: PodDraft, patches: readonly (string | undefined)[]): void {
  for (const text of patches) {
    if (!text?.trim()) continue;
    try {
      draft.pod.spec = applyStrategicMergePatch(draft.pod.spec, aliased(readPatch(text), draft), "PodSpec");
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new PodBuildError(`Error applying PodSpecPatch: ${error.message}`, { cause: error });
    }
  }
}

/**
 * Whether a patch leaves a pod of one container what it is: it brings no container, and speaks of none of the executor's.
 * False for one that cannot be read, which is an error when it is applied.
 */
export function leavesMainAlone(text: string | undefined): boolean {
  if (!text?.trim()) return true;
  try {
    const { containers = [], initContainers = [] } = readPatch(text);
    return containers.every(({ name }) => name === CONTAINER.main) &&
      initContainers.every(({ name }) => !AUX_ALIASES.includes(name));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}

function readPatch(text: string): PodSpecPatch {
  const [document] = parseYaml(text);
  const [error] = document?.errors ?? [];
  if (error) throw new UserError(error.message);
  const patch: unknown = document?.value;
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
    throw new UserError("Expected podSpecPatch to be an object");
  }
  const [mistake] = typeErrors(PodSpecPatch, patch);
  if (mistake) throw new UserError(`${mistake.path}: ${mistake.message}`);
  return patch;
}

/**
 * The patch with names of aux containers replaced by the one this pod has. Without one the entries go, with a warning: a
 * container without an image would be refused.
 */
function aliased(patch: PodSpecPatch, draft: PodDraft): PodSpecPatch {
  const { containers, initContainers, ...rest } = patch;
  const own = (name: string) => AUX_ALIASES.includes(name);
  const present = new Set(draft.pod.spec.initContainers?.map(({ name }) => name));
  const strayInit = initContainers?.filter(({ name }) => own(name) && !present.has(name)) ?? [];
  const keptInit = initContainers?.filter((container) => !strayInit.includes(container));
  const meant = [...containers ?? [], ...strayInit];
  for (const { name } of draft.hasAux ? [] : meant.filter(({ name }) => own(name))) {
    draft.warnings.push(`podSpecPatch names the container ${name}, which this pod does not have`);
  }
  const mapped = meant
    .filter(({ name }) => draft.hasAux || !own(name))
    .map((container) => own(container.name) ? { ...container, name: draft.layout.auxName } : container);
  return {
    ...rest,
    ...(containers || mapped.length ? { containers: mapped } : {}),
    ...(keptInit?.length ? { initContainers: keptInit } : {}),
  };
}
