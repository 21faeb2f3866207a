/** podSpecPatch: what users change in a pod that is already built. */
import { UserError } from "@tiphys/base/user_error";
import { parseYaml, YAML_MILLIS } from "@tiphys/model/yaml";
import { PodSpecPatch, type Template, typeErrors, type WorkflowSpec } from "@tiphys/model/api";
import { parseJson } from "@tiphys/base/bounded_json";
import { CONTAINER } from "@tiphys/base/constants";
import { TextCache } from "@tiphys/base/text_cache";
import { applyStrategicMergePatch } from "@tiphys/kube/patch/strategic";
import { LIMITS } from "@tiphys/base/limits";
import { checkWholeTime, MeterError } from "@tiphys/language/template";
import type { PodDraft } from "../layout.ts";
import { PodBuildError } from "../request.ts";

/** Names under which a patch may speak of the aux container, whatever the layout. */
const AUX_ALIASES: readonly string[] = [CONTAINER.wait, CONTAINER.supervisor, CONTAINER.init, "executor"];

/** A patch as users wrote it, and the place where they did. */
export interface WrittenPatch {
  readonly place: string;
  readonly text: string | undefined;
}

/** The patches of a template's pod: the workflow's, then the template's. */
export function patchesOf({ podSpecPatch }: WorkflowSpec, template: Template): WrittenPatch[] {
  return [
    { place: "spec.podSpecPatch", text: podSpecPatch },
    { place: `podSpecPatch of template "${template.name ?? ""}"`, text: template.podSpecPatch },
  ];
}

/**
 * Applies patches, one after the other.
 * @throws {PodBuildError} when one cannot be read, or asks for more than a pod may have; in the API server's words when they
 * leave the pod without containers.
 */
export function applyPodSpecPatches(draft: PodDraft, patches: readonly WrittenPatch[]): void {
  for (const { place, text } of patches) applyPatch(draft, place, text);
  const { metadata, spec } = draft.pod;
  if (!spec.containers?.length) {
    throw new PodBuildError(`Pod "${metadata.name}" is invalid: spec.containers: Required value`);
  }
}

function applyPatch(draft: PodDraft, place: string, text: string | undefined): void {
  if (!text?.trim()) return;
  try {
    const known = readPatch(text);
    checkContainers(known);
    const patch = structuredClone(known);
    draft.pod.spec = applyStrategicMergePatch(draft.pod.spec, aliased(patch, draft), "PodSpec");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const reason = error instanceof PatchLimitError ? `${place} ${error.message}` : error.message;
    throw new PodBuildError(`Error applying PodSpecPatch: ${reason}`, { cause: error });
  }
}

/** A patch asks for more than it may; the message goes on after its place. */
class PatchLimitError extends UserError {
  override readonly name = "PatchLimitError";
}

/** The containers that a patch speaks of: null in the place of a list speaks of none. */
function containersIn({ containers, initContainers }: PodSpecPatch) {
  return { containers: containers ?? [], initContainers: initContainers ?? [] };
}

function checkContainers(patch: PodSpecPatch): void {
  const { containers, initContainers } = containersIn(patch);
  const count = containers.length + initContainers.length;
  if (count <= LIMITS.podContainers) return;
  throw new PatchLimitError(`has ${count} containers, and a pod may have ${LIMITS.podContainers}`);
}

/**
 * Whether a patch leaves a pod of one container what it is: it brings no container, and speaks of none of the executor's.
 * False for one that cannot be read, which is an error when it is applied.
 */
export function leavesMainAlone(text: string | undefined): boolean {
  if (!text?.trim()) return true;
  try {
    const { containers, initContainers } = containersIn(readPatch(text));
    return containers.every(({ name }) => name === CONTAINER.main) &&
      initContainers.every(({ name }) => !AUX_ALIASES.includes(name));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}

/** What was made of the text of a patch: every pod of a loop has the same. */
type Reading = { readonly patch: PodSpecPatch } | { readonly error: UserError };

const readings = new TextCache<Reading>({ entries: 200, size: 4 * LIMITS.podBytes });

/**
 * The patch that a text says, which may be others' too: it is not to be changed.
 * @throws {UserError} when it says none.
 */
function readPatch(text: string): PodSpecPatch {
  let reading = readings.get(text);
  if (!reading) readings.set(text, reading = readingOf(text));
  if ("error" in reading) throw reading.error;
  return reading.patch;
}

function readingOf(text: string): Reading {
  try {
    const patch = readText(text);
    if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
      throw new UserError("Expected podSpecPatch to be an object");
    }
    const [mistake] = typeErrors(PodSpecPatch, patch);
    if (mistake) throw new UserError(`${mistake.path}: ${mistake.message}`);
    return { patch };
  } catch (error) {
    // Time that is up says nothing about the text.
    if (!(error instanceof UserError) || error instanceof MeterError) throw error;
    return { error };
  }
}

/** Milliseconds for each character of JSON that is read, with the check of its types. */
const JSON_MILLIS = 3e-4;

/** The value of a text: of JSON, as most long ones are, soon; of YAML only when it is short. */
function readText(text: string): unknown {
  if (text.length > LIMITS.podBytes) {
    throw new PatchLimitError(`has ${text.length} characters, and may have ${LIMITS.podBytes}`);
  }
  if (text.trimStart().startsWith("{")) {
    checkWholeTime(text.length * JSON_MILLIS);
    try {
      return parseJson(text);
    } catch (error) {
      // A flow mapping of YAML begins like an object of JSON.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  if (text.length > LIMITS.patchYamlCharacters) {
    throw new PatchLimitError(
      `has ${text.length} characters, and one that is no JSON may have ${LIMITS.patchYamlCharacters}`,
    );
  }
  checkWholeTime(text.length * YAML_MILLIS);
  const [document] = parseYaml(text);
  const [error] = document?.errors ?? [];
  if (error) throw new UserError(error.message);
  return document?.value;
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
