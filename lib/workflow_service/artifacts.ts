/** Artifacts of workflows as people fetch them: with the secrets of the cluster, as far as they may read those. */
import type { Workflow } from "../api/mod.ts";
import type { Driver, Place, TreeDriver } from "../artifact/mod.ts";
import { systemClock } from "../clock/mod.ts";
import { CONFIGMAPS, dataOf, type KubeClient, SECRETS } from "../kube/mod.ts";
import { openNet, Redactor } from "../net/mod.ts";
import { storedTemplateOf } from "../status/mod.ts";
import { ActionError } from "../workflow_actions/mod.ts";
import type { ArtifactChoice, LoadRequest } from "./service.ts";

/** Parts of one file, and objects of a folder, that are moved at once. */
const PARTS_AT_ONCE = 4;
const OBJECTS_AT_ONCE = 8;

/** An artifact whose store is open: where it lies, and the driver that reads it. Disposing of it ends its connections. */
export interface OpenArtifact extends AsyncDisposable {
  readonly place: Place;
  readonly driver: Driver | TreeDriver;
  /** An error of the store with nothing secret in its message; others as they are. */
  cleaned(error: unknown): unknown;
}

/**
 * Opens the store of an artifact.
 * @throws {ActionError} when the workflow has no such artifact, or it cannot be fetched from here.
 * @throws {StoreError} when its store cannot be opened; no secret is in the message.
 */
export async function openArtifact(
  client: KubeClient,
  workflow: Workflow,
  choice: ArtifactChoice,
  env: (name: string) => string | undefined = () => undefined,
): Promise<OpenArtifact> {
  const place = await placeOfArtifact(workflow, choice);
  if (place.store === "plugin") {
    throw new ActionError(`artifact ${choice.artifactName} lies where only the pods of a plugin reach it`);
  }
  return await openPlace(client, workflow.metadata.namespace ?? "", place, env);
}

/**
 * Opens the store of a place, with the secrets of a namespace.
 * @throws {StoreError} when its store cannot be opened; no secret is in the message.
 */
export async function openPlace(
  client: KubeClient,
  namespace: string,
  place: Place,
  env: (name: string) => string | undefined = () => undefined,
): Promise<OpenArtifact> {
  const { driverFor, StoreError } = await import("../artifact/mod.ts");
  const redactor = new Redactor();
  const net = openNet({ env });
  const said = (value: string | undefined, what: string) => {
    if (value === undefined) throw new StoreError(`${what} is not there`, "final");
    redactor.learn(value);
    return value;
  };
  const cleaned = (error: unknown) =>
    error instanceof StoreError
      ? new StoreError(redactor.redact(error.message), error.kind, error.retryAfterMillis)
      : error;
  try {
    const driver = await driverFor(place, {
      async secret(name, key) {
        return said(
          textOf(dataOf(await client.get(SECRETS, namespace, name))[key]),
          `key '${key}' of the secret '${name}'`,
        );
      },
      async configMap(name, key) {
        return said(
          dataOf(await client.get(CONFIGMAPS, namespace, name))[key],
          `key '${key}' of the config map '${name}'`,
        );
      },
      // A workflow says where its artifacts lie: what this machine may do elsewhere is not shown to that place.
      env: (name) => name === "AWS_EC2_METADATA_DISABLED" ? "true" : undefined,
      net,
      now: () => systemClock.now(),
      limits: { parts: PARTS_AT_ONCE, objects: OBJECTS_AT_ONCE },
    });
    return {
      place,
      driver,
      cleaned,
      async [Symbol.asyncDispose]() {
        await driver.close?.();
        net.close();
      },
    };
  } catch (error) {
    net.close();
    throw cleaned(error);
  }
}

/**
 * Brings an artifact as its store has it: archives stay packed, and a folder is a folder.
 * @throws {ActionError} when the workflow has no such artifact, or it cannot be fetched from here.
 * @throws {StoreError} when its store does not give it; no secret is in the message.
 */
export async function loadArtifact(
  client: KubeClient,
  workflow: Workflow,
  choice: ArtifactChoice,
  { target, signal, env = () => undefined }: LoadRequest,
): Promise<void> {
  await using artifact = await openArtifact(client, workflow, choice, env);
  try {
    await loadFrom(artifact.driver, artifact.place, { target, signal, env });
  } catch (error) {
    throw artifact.cleaned(error);
  }
}

/** Brings the file or folder at a place as it is, whole or not at all. */
export async function loadFrom(
  driver: Driver | TreeDriver,
  place: Place,
  { target, signal, env = () => undefined }: LoadRequest,
): Promise<void> {
  const { load, retryPolicyOf } = await import("../artifact/mod.ts");
  const how = {
    policy: retryPolicyOf(env),
    clock: systemClock,
    stop: signal,
    log: () => {},
    objects: OBJECTS_AT_ONCE,
    env,
  };
  await load(driver, place, { target, packing: "none", how });
}

/** The place of an artifact, whole: one with a key only lies in the repository of its workflow, or of its template. */
async function placeOfArtifact(
  workflow: Workflow,
  { nodeId, artifactName, isInput }: ArtifactChoice,
): Promise<Place> {
  const { isFull, keyOf, LocationError, locationOfRepository, placeOf, relocate } = await import("../artifact/mod.ts");
  const node = workflow.status?.nodes?.[nodeId];
  const artifact = (isInput ? node?.inputs : node?.outputs)?.artifacts?.find(({ name }) => name === artifactName);
  if (!node || !artifact) {
    throw new ActionError(`node ${nodeId} has no ${isInput ? "input" : "output"} artifact ${artifactName}`);
  }
  if (artifact.deleted) throw new ActionError(`artifact ${artifactName} was deleted by garbage collection`);
  try {
    const repository = locationOfRepository(workflow.status?.artifactRepositoryRef?.artifactRepository);
    const own = storedTemplateOf(workflow, node)?.archiveLocation;
    const archive = isFull(own) ? own : own && keyOf(own) !== undefined ? relocate(own, repository) : repository;
    const place = placeOf(relocate(artifact, archive));
    if (place) return place;
  } catch (error) {
    if (!(error instanceof LocationError)) throw error;
    throw new ActionError(`artifact ${artifactName}: ${error.message}`);
  }
  throw new ActionError(`artifact ${artifactName} names no store`);
}

function textOf(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : new TextDecoder().decode(Uint8Array.fromBase64(base64));
}
