/** podSpecPatch: changes that users apply to the built pod. */
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

/** Names that refer to the aux container in a patch, in any layout. */
const AUX_ALIASES: readonly string[] = [CONTAINER.wait, CONTAINER.supervisor, CONTAINER.init, "executor"];

/** The text of a patch, and its location in the workflow. */
export interface PodSpecPatchText {
  readonly place: string;
  readonly text: string | undefined;
}

/** The patches of a template's pod: the workflow's, then the template's. */
export function patchesOf({ podSpecPatch }: WorkflowSpec, template: Template): PodSpecPatchText[] {
  return [
    { place: "spec.podSpecPatch", text: podSpecPatch },
    { place: `podSpecPatch of template "${template.name ?? ""}"`, text: template.podSpecPatch },
  ];
}

/**
 * Applies patches in order.
 * @throws {PodBuildError} if a patch is invalid or exceeds a limit; with the API server's message if the pod has no
 * containers left.
 */
export function applyPodSpecPatches(draft: PodDraft, patches: readonly PodSpecPatchText[]): void {
  for (const { place, text } of patches) applyPatch(draft, place, text);
  const { metadata, spec } = draft.pod;
  if (!spec.containers?.length) {
    throw new PodBuildError(`Pod "${metadata.name}" is invalid: spec.containers: Required value`);
  }
}

function applyPatch(draft: PodDraft, subject: string, text: string | undefined): void {
  if (!text?.trim()) return;
  try {
    const known = readPatch(text);
    checkContainers(known);
    const patch = structuredClone(known);
    draft.pod.spec = applyStrategicMergePatch(draft.pod.spec, resolveAliases(patch, draft), "PodSpec");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const reason = error instanceof PatchLimitError ? `${subject} ${error.message}` : error.message;
    throw new PodBuildError(`Error applying PodSpecPatch: ${reason}`, { cause: error });
  }
}

/** A patch exceeds a limit. The message continues the location of the patch. */
class PatchLimitError extends UserError {
  override readonly name = "PatchLimitError";
}

/** The containers in a patch. Null instead of a list counts as an empty list. */
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
 * Whether a patch neither adds containers nor refers to a container of the executor, so that the pod may have a single
 * container. False for an invalid patch, which fails when it is applied.
 */
export function affectsOnlyMain(text: string | undefined): boolean {
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

/** The result of parsing a patch. It is cached because all pods of a loop have the same patch. */
type ParseResult = { readonly patch: PodSpecPatch } | { readonly error: UserError };

const parseResults = new TextCache<ParseResult>({ entries: 200, size: 4 * LIMITS.podBytes });

/**
 * Parses a patch. The result is shared and must not be changed.
 * @throws {UserError} if the patch is invalid.
 */
function readPatch(text: string): PodSpecPatch {
  let result = parseResults.get(text);
  if (!result) parseResults.set(text, result = parsePatch(text));
  if ("error" in result) throw result.error;
  return result.patch;
}

function parsePatch(text: string): ParseResult {
  try {
    const patch = readText(text);
    if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
      throw new UserError("Expected podSpecPatch to be an object");
    }
    const [typeError] = typeErrors(PodSpecPatch, patch);
    if (typeError) throw new UserError(`${typeError.path}: ${typeError.message}`);
    return { patch };
  } catch (error) {
    // A time limit depends on earlier work, so it is not a property of the text and is not cached.
    if (!(error instanceof UserError) || error instanceof MeterError) throw error;
    return { error };
  }
}

/** Estimated milliseconds to parse and validate one character of JSON. */
const JSON_MILLIS = 3e-4;

/** Parses a text as JSON, which is fast, or as YAML, which must be short. Most long patches are JSON. */
function readText(text: string): unknown {
  if (text.length > LIMITS.podBytes) {
    throw new PatchLimitError(`has ${text.length} characters; the maximum is ${LIMITS.podBytes}`);
  }
  if (text.trimStart().startsWith("{")) {
    checkWholeTime(text.length * JSON_MILLIS);
    try {
      return parseJson(text);
    } catch (error) {
      // A flow mapping of YAML starts like an object of JSON.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  if (text.length > LIMITS.patchYamlCharacters) {
    throw new PatchLimitError(
      `has ${text.length} characters; without JSON syntax, the limit is ${LIMITS.patchYamlCharacters}`,
    );
  }
  checkWholeTime(text.length * YAML_MILLIS);
  const [document] = parseYaml(text);
  const [error] = document?.errors ?? [];
  if (error) throw new UserError(error.message);
  return document?.value;
}

/**
 * Replaces aliases of the aux container in a patch by its name in this pod. Without an aux container, the entries are
 * removed with a warning, as the API server would reject a container without an image.
 */
function resolveAliases(patch: PodSpecPatch, draft: PodDraft): PodSpecPatch {
  const { containers, initContainers, ...rest } = patch;
  const isAlias = (name: string) => AUX_ALIASES.includes(name);
  const present = new Set(draft.pod.spec.initContainers?.map(({ name }) => name));
  const strayInit = initContainers?.filter(({ name }) => isAlias(name) && !present.has(name)) ?? [];
  const keptInit = initContainers?.filter((container) => !strayInit.includes(container));
  const candidates = [...containers ?? [], ...strayInit];
  for (const { name } of draft.hasAux ? [] : candidates.filter(({ name }) => isAlias(name))) {
    draft.warnings.push(`podSpecPatch names the container ${name}, which this pod does not have`);
  }
  const mapped = candidates
    .filter(({ name }) => draft.hasAux || !isAlias(name))
    .map((container) => isAlias(container.name) ? { ...container, name: draft.layout.auxName } : container);
  return {
    ...rest,
    ...(containers || mapped.length ? { containers: mapped } : {}),
    ...(keptInit?.length ? { initContainers: keptInit } : {}),
  };
}
