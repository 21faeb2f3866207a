/**
 * The environment of a container: variables of the image, the API server's address, `envFrom` and `env`, in this order.
 */

import type { EnvVar, EnvVarSource, Pod, PodContainer } from "@tiphys/model/api";
import { fieldValue, type PodAddress, resourceValue } from "../volumes/downward_api.ts";
import { ByteBudget, expandVariables } from "./expand_variables.ts";
import type { Content, Lookup } from "../volumes/lookup.ts";
import { SetupError } from "../setup_error.ts";

/** The sources of a container's variables. */
export interface EnvironmentSources {
  readonly pod: Pod;
  readonly address: PodAddress;
  readonly lookup: Lookup;
  /** Variables of the image and of this cluster. Those of the container take precedence. */
  readonly base: ReadonlyMap<string, string>;
}

/**
 * Resolves all variables.
 * @throws {SetupError} if something required is missing.
 */
export async function resolveEnvironment(
  container: PodContainer,
  sources: EnvironmentSources,
): Promise<Map<string, string>> {
  const variables = new Map(sources.base);
  const room = new ByteBudget();
  const namespace = sources.pod.metadata.namespace ?? "";
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    const ref = configMapRef ?? secretRef;
    const name = ref?.name ?? "";
    const content = configMapRef
      ? await sources.lookup.configMap(namespace, name)
      : await sources.lookup.secret(namespace, name);
    if (!content && !ref?.optional) throw missingError(`${configMapRef ? "configmap" : "secret"} "${name}" not found`);
    for (const [key, bytes] of content ?? []) variables.set(prefix + key, new TextDecoder().decode(bytes));
  }
  for (const variable of container.env ?? []) {
    const value = await valueOf(variable, variables, room, container, sources);
    if (value !== undefined) variables.set(variable.name, value);
  }
  return variables;
}

async function valueOf(
  { value, valueFrom }: EnvVar,
  before: ReadonlyMap<string, string>,
  room: ByteBudget,
  container: PodContainer,
  sources: EnvironmentSources,
): Promise<string | undefined> {
  if (valueFrom) return await valueFromSource(valueFrom, container, sources);
  return expandVariables(value ?? "", before, room);
}

async function valueFromSource(
  source: EnvVarSource,
  container: PodContainer,
  { pod, address, lookup }: EnvironmentSources,
): Promise<string | undefined> {
  const namespace = pod.metadata.namespace ?? "";
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) return fieldValue(pod, fieldRef.fieldPath, address);
  if (resourceFieldRef) return resourceValue(pod, container.name, resourceFieldRef);
  if (configMapKeyRef) {
    const { name = "" } = configMapKeyRef;
    return keyOf(await lookup.configMap(namespace, name), configMapKeyRef, "ConfigMap", `${namespace}/${name}`);
  }
  if (secretKeyRef) {
    const { name = "" } = secretKeyRef;
    return keyOf(await lookup.secret(namespace, name), secretKeyRef, "Secret", `${namespace}/${name}`);
  }
  throw missingError(
    "Expected a variable's valueFrom to be fieldRef, resourceFieldRef, configMapKeyRef or secretKeyRef",
  );
}

function keyOf(
  content: Content | undefined,
  { key, optional }: { key: string; optional?: boolean | undefined },
  kind: "ConfigMap" | "Secret",
  path: string,
): string | undefined {
  const bytes = content?.get(key);
  if (bytes) return new TextDecoder().decode(bytes);
  if (optional) return undefined;
  if (content) throw missingError(`couldn't find key ${key} in ${kind} ${path}`);
  throw missingError(`${kind.toLowerCase()} "${path.split("/")[1]}" not found`);
}

function missingError(message: string): SetupError {
  return new SetupError("CreateContainerConfigError", message);
}
