/** From an artifact to the driver that knows its store. */
import type { ArtifactLocation, Driver } from "./driver.ts";

/** No driver for where an artifact lies, or it says nowhere at all. */
export class NoDriverError extends Error {
  override readonly name = "NoDriverError";
}

/** Stores by the field of an artifact that describes them, in the order in which the first one found counts. */
const STORES = ["artifactory", "azure", "git", "gcs", "hdfs", "http", "oss", "raw", "s3", "plugin"] as const;

/** Whether an artifact says where it lies, or where it goes. */
export function hasStore(artifact: { readonly [field: string]: unknown }): boolean {
  return STORES.some((field) => artifact[field] !== undefined);
}

/**
 * The driver of an artifact.
 * @throws {NoDriverError} when there is none.
 */
export async function driverFor(artifact: ArtifactLocation): Promise<Driver> {
  const store = STORES.find((field) => artifact[field] !== undefined);
  switch (store) {
    case "raw":
      return (await import("./raw.ts")).rawDriver;
    case undefined:
      throw new NoDriverError(
        `You need to configure artifact storage. More information on how to do this can be found in the docs: ` +
          "https://argo-workflows.readthedocs.io/en/latest/configure-artifact-repository/",
      );
    default:
      throw new NoDriverError(`artifact "${artifact.name}" lies in a store of kind ${store}, which has no driver here`);
  }
}
