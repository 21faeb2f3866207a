import type { Driver, DriverEnvironment, Place } from "@tiphys/model/artifact";
import { makeDriver } from "../../lib/stores/s3/mod.ts";
import { testContract } from "../../lib/artifacts/testing/contract/mod.ts";
import { driverEnvironment } from "../../lib/artifacts/testing/surroundings.ts";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { openNet } from "@tiphys/base/net";
import { ArtifactStore, credentialsSecret, serveStore } from "./mod.ts";

const store = await ArtifactStore.open({ folder: await Deno.makeTempDir() });
const served = await serveStore(store);
const PART_BYTES = 5 * 1024 * 1024;
const ONE_PART = { parts: 1, partBytes: PART_BYTES, objects: 1 };

function settingsAt(port: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...served.repository.s3, endpoint: `127.0.0.1:${port}`, ...more };
}

async function driverAt(
  settings: Record<string, unknown>,
  { secretKey, ...change }: Partial<DriverEnvironment> & { readonly secretKey?: string } = {},
): Promise<Driver> {
  const { metadata: { name }, data } = credentialsSecret(store, "default") as unknown as {
    metadata: { name: string };
    data: Record<string, string>;
  };
  const secrets = Object.fromEntries(Object.entries(data).map(([key, value]) => [`${name}/${key}`, atob(value)]));
  if (secretKey !== undefined) secrets[`${name}/${EMBEDDED_STORE.secret.secretKey}`] = secretKey;
  const net = openNet();
  const environment = { ...driverEnvironment({ secrets, net, partBytes: PART_BYTES }), ...change };
  const driver = await makeDriver({ store: "s3", key: "", settings }, environment) as Driver;
  return Object.assign(driver, { close: () => net.close() });
}

const placeAt = (key: string, settings: Record<string, unknown>): Place => ({ store: "s3", key, settings });

testContract({
  name: "the embedded store",
  port: served.port,
  partBytes: PART_BYTES,
  driver: (through = served.port) => driverAt(settingsAt(through)),
  remembering: (begun) => driverAt(settingsAt(served.port), { begun, limits: ONE_PART }),
  place: (key, through = served.port) => placeAt(key, settingsAt(through)),
  sums: { up: true, down: true },
  noBucket: async () => {
    const settings = settingsAt(served.port, { bucket: "another" });
    return { driver: await driverAt(settings), place: placeAt("k", settings) };
  },
  wrongSecret: async (through = served.port) => {
    const settings = settingsAt(through);
    return { driver: await driverAt(settings, { secretKey: "wrong" }), place: placeAt("k", settings) };
  },
  unfinished: () => Promise.resolve(store.index.uploads("default").map(({ key }) => key)),
});
