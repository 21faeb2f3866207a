/** Access of users to artifacts of workflows, with the secrets of the cluster that they may read. */
import type { Workflow } from "@tiphys/model/api";
import type { Driver, Place, TreeDriver } from "@tiphys/model/artifact";
import type { RetryContext } from "@tiphys/artifacts/transfer";
import { systemClock } from "@tiphys/base/clock";
import { CONFIGMAPS, type KubeClient, SECRETS } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import { type AddressPolicy, addressPolicy, openNet, Redactor } from "@tiphys/base/net";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { completePlace } from "./place_of_artifact.ts";
import type { ArtifactChoice, ArtifactSize, LoadRequest, OpenStore, StoreRequest } from "./service.ts";

/** Number of parts of one file, and of objects of a folder, that are transferred concurrently. */
const CONCURRENT_PARTS = 4;
const CONCURRENT_OBJECTS = 8;

/** An artifact whose store is open: its place, and the driver that reads it. Disposing of it closes the connections. */
export interface OpenArtifact extends AsyncDisposable {
  readonly place: Place;
  readonly driver: Driver | TreeDriver;
  /** Redacts secrets in the message of a store error. Returns other errors unchanged. */
  redactError(error: unknown): unknown;
}

/** Error for a plugin that does not run alongside this program, and so cannot be used. */
export class PluginUnavailableError extends Error {
  override readonly name = "PluginAwayError";
}

/** Variables that locate the programs and sockets of stores. They contain no credentials. */
const STORE_VARIABLES = new Set([
  "TIPHYS_ARTIFACT_PLUGINS",
  "PATH",
  "SSH_KNOWN_HOSTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "GIT_SSL_CAINFO",
  "GIT_EXEC_PATH",
  "LD_LIBRARY_PATH",
]);

/** The environment of an opened artifact. */
export interface OpenOptions {
  /** Variables that determine how the network is reached. */
  readonly env?: (name: string) => string | undefined;
  /**
   * Decides which addresses may be connected to, because the workflow names them. By default this machine is not
   * reachable.
   */
  readonly reach?: AddressPolicy | undefined;
  /** The environment of a program with plugins, and programs of stores, alongside. Only those are read from it. */
  readonly beside?: (name: string) => string | undefined;
}

/**
 * Opens the store of an artifact.
 * @throws {ActionError} when the workflow has no such artifact, or it cannot be fetched from here.
 * @throws {PluginUnavailableError} when its plugin could run alongside this program, but does not.
 * @throws {StoreError} when its store cannot be opened; the message contains no secrets.
 */
export async function openArtifact(
  client: KubeClient,
  workflow: Workflow,
  choice: ArtifactChoice,
  opening: OpenOptions = {},
): Promise<OpenArtifact> {
  const place = completePlace(workflow, choice);
  if (place.store === "plugin" && !opening.beside) {
    throw new ActionError(`artifact ${choice.artifactName} is in a store that only pods with its plugin can access`);
  }
  return await openPlace(
    client,
    workflow.metadata.namespace ?? "",
    opening.beside ? withoutHistory(place) : place,
    opening,
  );
}

/** Returns the place with settings for reading its content without history. */
function withoutHistory(location: Place): Place {
  return location.store === "git" ? { ...location, settings: { ...location.settings, depth: 1, fetch: [] } } : location;
}

/**
 * Opens the store of a place, with the secrets of a namespace.
 * @throws {StoreError} when its store cannot be opened; the message contains no secrets.
 */
export async function openPlace(
  client: KubeClient,
  namespace: string,
  location: Place,
  { env = () => undefined, beside, reach = addressPolicy() }: OpenOptions = {},
): Promise<OpenArtifact> {
  const { driverFor } = await import("@tiphys/stores");
  const { StoreError } = await import("@tiphys/model/artifact");
  const { RetriesExhaustedError } = await import("@tiphys/artifacts/transfer");
  const redactor = new Redactor();
  const net = openNet({ env, reach });
  const said = (value: string | undefined, subject: string) => {
    if (value === undefined) throw new StoreError(`${subject} does not exist`, "final");
    redactor.addSecret(value);
    return value;
  };
  const redactError = (error: unknown) => {
    if (error instanceof RetriesExhaustedError) return new RetriesExhaustedError(redactor.redact(error.message));
    if (!(error instanceof StoreError)) return error;
    return new StoreError(redactor.redact(error.message), error.kind, error.retryAfterMillis);
  };
  const base64Of = async (name: string, key: string) => dataOf(await client.get(SECRETS, namespace, name))[key];
  const besideOnly = (name: string) => STORE_VARIABLES.has(name) ? beside?.(name) : undefined;
  try {
    const driver = await driverFor(location, {
      async secret(name, key) {
        return said(textOf(await base64Of(name, key)), `key '${key}' of the secret '${name}'`);
      },
      async secretBytes(name, key) {
        return Uint8Array.fromBase64(said(await base64Of(name, key), `key '${key}' of the secret '${name}'`));
      },
      async configMap(name, key) {
        return said(
          dataOf(await client.get(CONFIGMAPS, namespace, name))[key],
          `key '${key}' of the config map '${name}'`,
        );
      },
      env: besideOnly,
      // The workflow determines the place, so the identity of this machine must not be used.
      mayUseIdentity: false,
      net,
      reach,
      now: () => systemClock.now(),
      limits: { parts: CONCURRENT_PARTS, objects: CONCURRENT_OBJECTS },
    });
    // Does not wait for the plugin, unlike a pod whose plugin starts at the same time.
    if (location.store === "plugin") await assertPluginRuns(location, besideOnly);
    return {
      place: location,
      driver,
      redactError,
      async [Symbol.asyncDispose]() {
        await driver.close?.();
        net.close();
      },
    };
  } catch (error) {
    net.close();
    throw redactError(error);
  }
}

/** @throws {PluginUnavailableError} when the plugin of a place has no socket. */
async function assertPluginRuns(location: Place, env: (name: string) => string | undefined): Promise<void> {
  const { socketOf } = await import("@tiphys/stores/plugin");
  if (await Deno.stat(socketOf(location, env)).then(() => true, () => false)) return;
  throw new PluginUnavailableError(`the plugin ${location.settings.name} does not run alongside this program`);
}

/**
 * Fetches an artifact as it is stored: archives stay packed, and a folder is a folder.
 * @throws {ActionError} when the workflow has no such artifact, or it cannot be fetched from here.
 * @throws {StoreError} when its store does not return it; the message contains no secrets.
 */
export async function loadArtifact(
  client: KubeClient,
  workflow: Workflow,
  choice: ArtifactChoice,
  { target, signal, env = () => undefined, reach }: LoadRequest,
): Promise<void> {
  await using artifact = await openArtifact(client, workflow, choice, { env, reach });
  try {
    await loadFrom(artifact.driver, artifact.place, { target, signal, env });
  } catch (error) {
    throw artifact.redactError(error);
  }
}

/** Fetches the file or folder at a place as it is stored, completely or not at all. */
export async function loadFrom(
  driver: Driver | TreeDriver,
  location: Place,
  { target, signal, env = () => undefined }: LoadRequest,
): Promise<void> {
  const { load } = await import("@tiphys/artifacts/transfer");
  const how = { ...await retryPolicyFor({ signal, env }), objects: CONCURRENT_OBJECTS, env };
  await load(driver, location, { target, packing: "none", transfer: how });
}

/**
 * Opens the store of a place for writing.
 * @throws {ActionError} when it cannot be reached from here.
 * @throws {StoreError} when it cannot be opened; the message contains no secrets.
 */
export async function openStore(
  client: KubeClient,
  namespace: string,
  location: Place,
  request: StoreRequest,
): Promise<OpenStore> {
  if (location.store === "plugin") throw new ActionError("it is in a store that only pods with its plugin can access");
  const { env = () => undefined, reach } = request;
  const { save } = await import("@tiphys/artifacts/transfer");
  const open = await openPlace(client, namespace, location, { env, reach });
  const how = { ...await retryPolicyFor(request), objects: CONCURRENT_OBJECTS, env };
  return {
    async save(key, held, onObject) {
      const telling = onObject ? { ...how, onObject } : how;
      try {
        return await save(open.driver, { ...location, key }, { held, packed: { kind: "none" }, how: telling });
      } catch (error) {
        throw open.redactError(error);
      }
    },
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

/** Returns the retry policy of requests to a store. */
async function retryPolicyFor({ signal, env = () => undefined }: StoreRequest): Promise<RetryContext> {
  const { retryPolicyOf } = await import("@tiphys/artifacts/transfer");
  return { policy: retryPolicyOf(env), clock: systemClock, stop: signal, log: () => {} };
}

/**
 * Reads the number of objects of an artifact and their size from its store.
 * @throws {ActionError} when the workflow has no such artifact, or it cannot be reached from here.
 * @throws {StoreError} when it does not exist or its store does not report it; the message contains no secrets.
 */
export async function measureArtifact(
  client: KubeClient,
  workflow: Workflow,
  choice: ArtifactChoice,
  request: StoreRequest,
): Promise<ArtifactSize> {
  const { env = () => undefined, reach } = request;
  await using artifact = await openArtifact(client, workflow, choice, { env, reach });
  try {
    return await measurePlace(artifact.driver, artifact.place, request);
  } catch (error) {
    throw artifact.redactError(error);
  }
}

/**
 * Deletes the objects at a place of a workflow. Resolves to the number of objects.
 * @throws {ActionError} when it cannot be reached from here.
 * @throws {StoreError} when its store does not delete it; the message contains no secrets.
 */
export async function removePlace(
  client: KubeClient,
  { metadata: { namespace = "" } }: Workflow,
  location: Place,
  request: StoreRequest,
): Promise<number> {
  const { checkKey, remove } = await import("@tiphys/artifacts/transfer");
  checkKey(location);
  if (location.store === "plugin") throw new ActionError("it is in a store that only pods with its plugin can access");
  await using open = await openPlace(client, namespace, location, {
    env: request.env ?? (() => undefined),
    reach: request.reach,
  });
  try {
    return await remove(open.driver, location, await retryPolicyFor(request));
  } catch (error) {
    throw open.redactError(error);
  }
}

/** Returns the number of objects at a place, and their bytes. */
export async function measurePlace(
  driver: Driver | TreeDriver,
  location: Place,
  request: StoreRequest,
): Promise<ArtifactSize> {
  const { itemsBelow, movesTrees, NotListableError, retrying } = await import("@tiphys/artifacts/transfer");
  if (movesTrees(driver)) {
    throw new NotListableError(`a store of kind ${location.store} cannot list its objects`);
  }
  const how = await retryPolicyFor(request);
  const { kind, size } = await retrying(how, () => driver.find(location, how.stop));
  if (kind === "file") return { objects: 1, ...(size === undefined ? {} : { bytes: size }) };
  let objects = 0;
  let bytes: number | undefined = 0;
  for await (const item of itemsBelow(driver, location, how)) {
    objects++;
    bytes = bytes === undefined || item.size === undefined ? undefined : bytes + item.size;
  }
  return { objects, ...(bytes === undefined ? {} : { bytes }) };
}

function textOf(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : new TextDecoder().decode(Uint8Array.fromBase64(base64));
}
