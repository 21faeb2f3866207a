/**
 * The surroundings of artifact drivers inside a pod: mounted secrets, connections, the environment. Every secret value
 * that is read is redacted from all later log lines and errors.
 */
import { driverFor as driverOf } from "@tiphys/stores";
import { type Driver, type DriverEnvironment, type Place, StoreError, type TreeDriver } from "@tiphys/model/artifact";
import { retrying, retryPolicyOf } from "@tiphys/artifacts/transfer";
import type { Clock } from "@tiphys/base/clock";
import { PATH } from "@tiphys/base/constants";
import { Folder, openFile, readBounded, resolveEntry } from "@tiphys/base/confined";
import { type Bytes, openNet, Redactor } from "@tiphys/base/net";
import { dataOf } from "@tiphys/kube/object_data";
import { CONFIGMAPS } from "@tiphys/kube/resources";
import { storedUploads } from "./pod/stored_uploads.ts";
import { connectPod } from "./pod/pod_client.ts";

/** The maximum size of a Secret or ConfigMap, in bytes. */
const MAX_SECRET_BYTES = 1 << 20;

/** The number of parts of one file, and of objects of a folder, that are transferred in parallel. */
const PARTS_AT_ONCE = 4;
const OBJECTS_AT_ONCE = 8;

/** The part of the world that stores need. */
interface PodWorld {
  readonly root: string;
  env(name: string): string | undefined;
  log(message: string): void;
  detail(message: string): void;
  readonly clock: Clock;
}

/** The artifact stores of a pod. */
export interface Stores {
  /** Returns the driver of a location. Drivers are cached by store and settings. */
  driverFor(location: Place): Promise<Driver | TreeDriver>;
  /** Removes secrets from a text. */
  redact(text: string): string;
}

/** Creates the stores of a pod. Connections are opened on demand. */
export function openStores(world: PodWorld): Stores {
  const redactor = new Redactor();
  const log = (line: string) => world.log(redactor.redact(line));
  const drivers = new Map<string, Promise<Driver | TreeDriver>>();
  const secretBytes = (name: string, key: string) =>
    readMountedKey(world, `${PATH.secrets}/${name}`, key, `key '${key}' of Secret '${name}'`);
  const environment: DriverEnvironment = {
    async secret(name, key) {
      const value = new TextDecoder().decode(await secretBytes(name, key));
      redactor.addSecret(value);
      return value;
    },
    async secretBytes(name, key) {
      const bytes = await secretBytes(name, key);
      redactor.addSecret(bytes.toBase64());
      return bytes;
    },
    async configMap(name, key) {
      const { client, namespace } = await connectPod(world);
      const value = dataOf(await client.get(CONFIGMAPS, namespace, name))[key];
      if (value === undefined) throw new StoreError(`key '${key}' of ConfigMap '${name}' does not exist`, "final");
      return value;
    },
    env: world.env,
    mayUseIdentity: true,
    net: openNet({ clock: world.clock, env: world.env }),
    now: () => world.clock.now(),
    limits: { parts: PARTS_AT_ONCE, objects: OBJECTS_AT_ONCE },
    retry: (stop, act) => retrying({ policy: retryPolicyOf(world.env), clock: world.clock, stop, log }, act),
    begun: storedUploads(world.root),
    debug: (line) => world.detail(redactor.redact(line)),
  };
  return {
    driverFor(location) {
      const name = JSON.stringify([location.store, location.settings]);
      const driver = drivers.get(name) ?? driverOf(location, environment);
      drivers.set(name, driver);
      return driver;
    },
    redact: (text) => redactor.redact(text),
  };
}

/**
 * Reads a value of a mounted Secret. The kubelet mounts each key as a link to the current version in the same folder.
 */
function readMountedKey(world: PodWorld, folder: string, key: string, subject: string): Promise<Bytes> {
  try {
    using root = Folder.open(`${world.root}${folder}`);
    using found = resolveEntry(root, key, { links: "follow", last: true });
    using held = found.hold();
    if (held) {
      using file = openFile(held, subject);
      return Promise.resolve(readBounded(file, MAX_SECRET_BYTES, subject));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return Promise.reject(error);
  }
  return Promise.reject(new StoreError(`${subject} does not exist`, "final"));
}
