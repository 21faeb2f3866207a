/** Reads values of settings that are stored in Secrets. */
import { UserError } from "@tiphys/base/user_error";
import type { KubeClient } from "./client.ts";
import { dataOf } from "./object_data.ts";
import { SECRETS } from "./resources.ts";

/** The key of a Secret, in the namespace of the caller. */
export interface SecretKeyReference {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  /** The setting that refers to it, for errors. */
  readonly setting: string;
}

/**
 * Reads the value as text.
 * @throws {UserError} when the Secret has no such key.
 * @throws {KubeError}
 */
export async function secretValue(client: KubeClient, place: SecretKeyReference): Promise<string> {
  const { namespace, name, key, setting } = place;
  const value = dataOf(await client.get(SECRETS, namespace, name))[key];
  if (value === undefined) throw new UserError(`${setting}: the secret "${name}" has no key "${key}"`);
  return new TextDecoder().decode(Uint8Array.fromBase64(value));
}
