/** Returns the driver of a place, which is loaded on first use. */
import {
  type Driver,
  type DriverEnvironment,
  type MakeDriver,
  type Place,
  StoreError,
  type TreeDriver,
} from "@tiphys/model/artifact";
import type { StoreName } from "@tiphys/model/artifact/stores";

/** The driver of each row of the table of stores: a folder whose `mod.ts` exports `makeDriver`. */
const DRIVERS: Readonly<Record<StoreName, () => Promise<{ readonly makeDriver: MakeDriver }>>> = {
  artifactory: () => import("./artifactory/mod.ts"),
  azure: () => import("./azure/mod.ts"),
  gcs: () => import("./gcs/mod.ts"),
  git: () => import("./git/mod.ts"),
  hdfs: () => import("@tiphys/store-hdfs"),
  http: () => import("./http/mod.ts"),
  oss: () => import("./oss/mod.ts"),
  plugin: () => import("./plugin/mod.ts"),
  raw: () => import("./raw/mod.ts"),
  s3: () => import("./s3/mod.ts"),
};

/**
 * Returns the driver of a place.
 * @throws {StoreError} `final` when there is no driver for its store, or required fields are missing.
 */
export async function driverFor(location: Place, environment: DriverEnvironment): Promise<Driver | TreeDriver> {
  const load = Object.hasOwn(DRIVERS, location.store) ? DRIVERS[location.store as StoreName] : undefined;
  if (!load) {
    throw new StoreError(
      `Unsupported artifact driver: there is no driver for stores of kind ${location.store}`,
      "final",
    );
  }
  const { makeDriver } = await load();
  return await makeDriver(location, environment);
}
