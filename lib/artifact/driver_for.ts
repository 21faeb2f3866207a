/** The driver of a place: loaded when a place of its store is first asked for, and never before. */
import { type Driver, type MakeDriver, type Place, StoreError, type Surroundings, type TreeDriver } from "./driver.ts";

/** A new store is a folder with a `mod.ts` that exports `makeDriver`, and a line here. */
const DRIVERS: Readonly<Record<string, () => Promise<{ readonly makeDriver: MakeDriver }>>> = {
  artifactory: () => import("./artifactory/mod.ts"),
  azure: () => import("./azure/mod.ts"),
  gcs: () => import("./gcs/mod.ts"),
  git: () => import("./git/mod.ts"),
  hdfs: () => import("./hdfs/mod.ts"),
  http: () => import("./http/mod.ts"),
  oss: () => import("./oss/mod.ts"),
  plugin: () => import("./plugin/mod.ts"),
  raw: () => import("./raw/mod.ts"),
  s3: () => import("./s3/mod.ts"),
};

/**
 * The driver of a place.
 * @throws {StoreError} `final` when there is none for its store, or the place lacks what the driver needs.
 */
export async function driverFor(place: Place, surroundings: Surroundings): Promise<Driver | TreeDriver> {
  const load = Object.hasOwn(DRIVERS, place.store) ? DRIVERS[place.store] : undefined;
  if (!load) {
    throw new StoreError(`Unsupported artifact driver: stores of the kind ${place.store} have none here`, "final");
  }
  const { makeDriver } = await load();
  return await makeDriver(place, surroundings);
}
