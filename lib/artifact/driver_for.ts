/** From an artifact to the driver that knows its store. */
import { ARTIFACT_STORES } from "../artifact_stores.ts";
import type { ArtifactLocation, Driver } from "./driver.ts";

/** No driver for where an artifact lies, or it says nowhere at all. */
export class NoDriverError extends Error {
  override readonly name = "NoDriverError";
}

/**
 * The driver of an artifact.
 * @throws {NoDriverError} when there is none.
 */
export async function driverFor(artifact: ArtifactLocation): Promise<Driver> {
  const store = ARTIFACT_STORES.find((field) => artifact[field] !== undefined);
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
