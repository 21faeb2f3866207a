/**
 * The artifact repository of a workflow: chosen once, when it starts, and kept whole in its status. What a ConfigMap or the
 * controller says later is no matter to it.
 */
import { UserError } from "../../../../lib/user_error.ts";
import { locationOfRepository } from "../../../../lib/artifact/location.ts";
import {
  ArtifactRepository,
  type ArtifactRepositoryRefStatus,
  type ConfigMap,
  formatFieldError,
  isProblem,
  parseWith,
} from "../../../../lib/api/mod.ts";
import { ANNOTATION, REPOSITORIES_CONFIG_MAP } from "../../../../lib/constants.ts";
import { LIMITS } from "../../../../lib/limits.ts";
import { parseYaml } from "../../../../lib/yaml/mod.ts";
import type { Pass } from "../pass.ts";

/**
 * Chooses the repository where the status has none: the ConfigMap that the spec refers to, in the workflow's namespace or
 * the controller's; without a reference the usual ConfigMap of the workflow's namespace, or what the controller says.
 * @returns false while a ConfigMap is still asked for: the next pass has it.
 * @throws {UserError} when what is referred to is not there, or is no repository.
 */
export function settleRepository(pass: Pass): boolean {
  if (pass.draft.workflow.status?.artifactRepositoryRef) return true;
  try {
    const found = pass.draft.spec.artifactRepositoryRef ? referred(pass) : usual(pass);
    if (found === "waiting") return false;
    if (!found) return true;
    // What nothing can be saved to is told before anything runs.
    locationOfRepository(found.artifactRepository);
    pass.draft.setStatus({ artifactRepositoryRef: found });
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`failed to resolve artifact repository: ${error.message}`, { cause: error });
  }
}

/** Without a reference. Nothing where nobody has said anything. */
function usual(pass: Pass): ArtifactRepositoryRefStatus | undefined {
  const namespace = pass.draft.workflow.metadata.namespace!;
  const found = repositoryIn(pass.facts.repositories?.(), { namespace, shown: `${namespace}/#` });
  if (found) return found;
  const { artifactRepository } = pass.facts.config;
  return artifactRepository && { default: true, artifactRepository };
}

function referred(pass: Pass): ArtifactRepositoryRefStatus | "waiting" {
  const { configMap = "", key = "" } = pass.draft.spec.artifactRepositoryRef!;
  const own = pass.draft.workflow.metadata.namespace!;
  for (const namespace of new Set([own, pass.facts.config.namespace ?? own])) {
    const name = configMap || REPOSITORIES_CONFIG_MAP;
    const shown = `${namespace}/${configMap}#${key}`;
    const map = pass.facts.readConfigMaps.get(`${namespace}/${name}`);
    if (!map) {
      pass.draft.ask({ kind: "readConfigMap", namespace, name });
      return "waiting";
    }
    if ("problem" in map) {
      throw new UserError(`error getting config map for artifact repository ref "${shown}": ${map.problem}`);
    }
    const found = map.configMap && repositoryIn(map.configMap, { namespace, name, key, shown });
    if (found) return found;
  }
  throw new UserError(`failed to find any artifact repository for artifact repository ref "${configMap}#${key}"`);
}

interface Reference {
  readonly namespace: string;
  readonly name?: string;
  /** Empty where the ConfigMap says by an annotation which of its keys is meant. */
  readonly key?: string;
  /** The reference as Argo shows it in errors. */
  readonly shown: string;
}

/** The repository in a ConfigMap; undefined when it has no such key. */
function repositoryIn(
  map: ReturnType<NonNullable<Pass["facts"]["repositories"]>>,
  { namespace, name = REPOSITORIES_CONFIG_MAP, key: wanted, shown }: Reference,
): ArtifactRepositoryRefStatus | undefined {
  const refuse = (why: string) =>
    new UserError(`error getting config map for artifact repository ref "${shown}": ${why}`);
  if (isProblem(map)) throw refuse(map.message);
  const key = wanted || map?.metadata?.annotations?.[ANNOTATION.defaultArtifactRepository] || "";
  const { data = {} } = map ?? {} as ConfigMap;
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text === undefined) return undefined;
  if (text.length > LIMITS.repositoryCharacters) {
    throw refuse(`key "${key}" has ${text.length} characters, and may have ${LIMITS.repositoryCharacters}`);
  }
  const unreadable = `failed to unmarshall config map key "${key}" for artifact repository ref "${shown}"`;
  const [document] = parseYaml(text);
  const [mistake] = document?.errors ?? [];
  if (mistake) throw refuse(`${unreadable}: ${mistake.message} (line ${mistake.line})`);
  const parsed = parseWith(ArtifactRepository, document?.value ?? {}, "lenient");
  if (!parsed.ok) throw refuse(`${unreadable}: ${parsed.errors.map(formatFieldError).join("; ")}`);
  return { configMap: name, key, namespace, artifactRepository: parsed.value };
}

/** The place of artifacts and logs of the workflow that name none, with the template of its keys. */
export function archiveOf(pass: Pass): Record<string, unknown> | undefined {
  return locationOfRepository(pass.draft.workflow.status?.artifactRepositoryRef?.artifactRepository);
}
