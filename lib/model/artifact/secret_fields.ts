/** Reads the secrets that the fields of a place refer to. */
import { type DriverEnvironment, StoreError } from "./driver.ts";

/** A key of a Secret. */
export interface SecretField {
  readonly name?: string | undefined;
  readonly key: string;
  readonly optional?: boolean | undefined;
}

/** Returns the value of a secret; undefined if the field is not set, or an optional secret does not exist. */
export async function secretOf(
  environment: DriverEnvironment,
  field: SecretField | undefined,
): Promise<string | undefined> {
  if (!field) return undefined;
  try {
    return await environment.secret(field.name ?? "", field.key);
  } catch (error) {
    if (field.optional && error instanceof StoreError && error.kind === "final") return undefined;
    throw error;
  }
}
