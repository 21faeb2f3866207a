/** Artifact repositories in ConfigMaps: one per key, and an annotation with the key of the default one. */
import {
  ArtifactRepository,
  type ArtifactRepositoryRefStatus,
  type ConfigMap,
  formatFieldError,
  isProblem,
  parseWith,
  type Problem,
} from "@tiphys/model/api";
import { ANNOTATION, REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import { LIMITS } from "@tiphys/base/limits";
import { UserError } from "@tiphys/base/user_error";
import { checkWholeTime } from "@tiphys/language/template/expr/meter";
import { parseYaml, YAML_MILLIS } from "@tiphys/model/yaml";

/** A reference to a repository. */
export interface RepositoryReference {
  readonly namespace: string;
  readonly name?: string;
  /** Empty for the default repository, whose key is in an annotation of the ConfigMap. */
  readonly key?: string;
  /** The reference in the format of Argo's errors. */
  readonly display: string;
}

/**
 * Returns the repository in a ConfigMap; undefined if it does not have the key.
 * @throws {UserError} if the value is not a valid repository.
 */
export function readRepository(
  map: ConfigMap | Problem | undefined,
  { namespace, name = REPOSITORIES_CONFIG_MAP, key: requestedKey, display }: RepositoryReference,
): ArtifactRepositoryRefStatus | undefined {
  const invalid = (reason: string) =>
    new UserError(`error getting config map for artifact repository ref "${display}": ${reason}`);
  if (isProblem(map)) throw invalid(map.message);
  const key = requestedKey || map?.metadata?.annotations?.[ANNOTATION.defaultArtifactRepository] || "";
  const { data = {} } = map ?? {} as ConfigMap;
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text === undefined) return undefined;
  if (text.length > LIMITS.repositoryCharacters) {
    throw invalid(`key "${key}" has ${text.length} characters; the maximum is ${LIMITS.repositoryCharacters}`);
  }
  const unreadable = `failed to unmarshall config map key "${key}" for artifact repository ref "${display}"`;
  checkWholeTime(text.length * YAML_MILLIS);
  const [document] = parseYaml(text);
  const [syntaxError] = document?.errors ?? [];
  if (syntaxError) throw invalid(`${unreadable}: ${syntaxError.message} (line ${syntaxError.line})`);
  const parsed = parseWith(ArtifactRepository, document?.value ?? {}, "lenient");
  if (!parsed.ok) throw invalid(`${unreadable}: ${parsed.errors.map(formatFieldError).join("; ")}`);
  return { configMap: name, key, namespace, artifactRepository: parsed.value };
}
