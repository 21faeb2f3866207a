/** Artifacts in Google Cloud Storage, through its JSON API. */
import { type Driver, type MakeDriver, type SecretField, StoreError } from "@tiphys/model/artifact";
import { objectDriver } from "../objects/mod.ts";
import { gcsBucket } from "./bucket.ts";
import { googleCredentials } from "./credentials.ts";

/** Creates the driver of a bucket. */
export const makeDriver: MakeDriver = (location, environment): Driver => {
  const { bucket, serviceAccountKeySecret } = location.settings as {
    readonly bucket?: string;
    readonly serviceAccountKeySecret?: SecretField;
  };
  if (!bucket) throw new StoreError("gcs: bucket is required", "final");
  const emulator = environment.env("STORAGE_EMULATOR_HOST");
  const base = emulator ? withScheme(emulator) : "https://storage.googleapis.com";
  const token = emulator ? undefined : googleCredentials(environment, serviceAccountKeySecret);
  return objectDriver(gcsBucket({ name: bucket, base, token, environment }));
};

function withScheme(host: string): string {
  const url = host.includes("://") ? host : `http://${host}`;
  if (!URL.canParse(url)) throw new StoreError("gcs: STORAGE_EMULATOR_HOST is not a valid host", "final");
  return new URL(url).origin;
}
