/** The value of a key of a Secret, as settings name one. */
import { fieldsOf } from "../fields_of.ts";
import { UserError } from "../user_error.ts";
import type { KubeClient } from "./client.ts";
import type { KubeObject } from "./object.ts";
import { SECRETS } from "./resources.ts";

/** The key of a Secret, in the namespace of the caller. */
export interface SecretPlace {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  /** The setting that names it, for errors. */
  readonly setting: string;
}

/**
 * Reads it as text.
 * @throws {UserError} when the Secret has no such key.
 * @throws {KubeError}
 */
export async function secretValue(client: KubeClient, place: SecretPlace): Promise<string> {
  const { namespace, name, key, setting } = place;
  const { data } = await client.get<KubeObject>(SECRETS, namespace, name);
  const values = fieldsOf(data);
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  if (typeof value !== "string") throw new UserError(`${setting}: the secret "${name}" has no key "${key}"`);
  return new TextDecoder().decode(Uint8Array.fromBase64(value));
}
