/**
 * Deletes logs together with their archived workflow: logs that pods saved as artifacts (`archiveLogs`) in the store of
 * an embedded cluster, which nothing else cleans up. Logs in other stores belong to the owner of the store.
 */
import { type NodeStatus, storedWorkflow, type Workflow } from "@tiphys/model/api";
import type { BeforeDelete } from "@tiphys/storage/archive";
import type { Place } from "@tiphys/model/artifact";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { classifyError, type KubeClient, NAMESPACES, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import { podNameOf } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { completePlace } from "./place_of_artifact.ts";

/** A store of an embedded cluster, which is served until it is disposed of. */
export interface ServedLogs extends Partial<AsyncDisposable> {
  /** The repository of its cluster, in the form of an artifact. */
  readonly repository: object | undefined;
}

/** The cluster of a workflow, its store, and the other workflows of its archive. */
interface LogRemoval {
  readonly client: KubeClient;
  /** Opens the store as seen from a namespace. Called only if there may be logs. */
  readonly serve: (namespace: string) => Promise<ServedLogs>;
  /** Returns the number of archived workflows with a name, in all namespaces. */
  readonly namesakes: (name: string) => Promise<number>;
}

/** Deletes the logs of an archived workflow from the embedded store, before its row is deleted. */
export function logDeletionHook(
  client: KubeClient,
  serve: LogRemoval["serve"] = findAnnouncedStore(client),
): BeforeDelete {
  return async (archived, archive) => {
    const countByName = (name: string) => archive.count({ name });
    await removeStoredLogs(storedWorkflow.row(archived), { client, serve, namesakes: countByName });
  };
}

/**
 * Returns the store that the Secret of a namespace announces, for programs that only have access to the API of the
 * cluster.
 */
function findAnnouncedStore(client: KubeClient): LogRemoval["serve"] {
  return async (namespace) => {
    const { name, endpoint } = EMBEDDED_STORE.secret;
    try {
      const address = dataOf(await client.get(SECRETS, namespace, name))[endpoint];
      return { repository: address === undefined ? undefined : { s3: { endpoint: atob(address) } } };
    } catch (error) {
      if (classifyError(error) === "notFound") return { repository: undefined };
      throw error;
    }
  };
}

/** Timeout for deleting all logs of a workflow. The store is on this machine. */
const REMOVAL_TIMEOUT_MS = 60_000;

/** The suffix of the names of log artifacts. */
const LOG_SUFFIX = "-logs";

/**
 * Deletes the logs of an archived workflow. Resolves to their number. Only logs that it certainly wrote are deleted: if
 * another workflow with its name is in the cluster or the archive, the logs may belong to that one, and all are kept.
 * Namespaces are not distinguished, because the keys of most repositories do not contain them. If its namespace is
 * gone, and with it the credentials of the store, all are kept, too.
 * @throws {StoreError} when the store does not delete them.
 */
async function removeStoredLogs(workflow: Workflow, { client, serve, namesakes }: LogRemoval): Promise<number> {
  const places = logsOf(workflow);
  const { namespace = "", name = "" } = workflow.metadata;
  if (places.length === 0 || await workflowExists(client, name) || await namesakes(name) > 1) return 0;
  if (!await isNamespace(client, namespace)) return 0;
  const served = await serve(namespace);
  try {
    const [{ removePlace: removeAt }, { ALLOW_ALL }] = await Promise.all([
      import("./artifacts.ts"),
      import("@tiphys/base/net"),
    ]);
    const signal = AbortSignal.timeout(REMOVAL_TIMEOUT_MS);
    let count = 0;
    for (const place of places) {
      if (isSameStore(place, served.repository)) {
        // It is the repository that this machine serves.
        count += await removeAt(client, workflow, place, { signal, reach: ALLOW_ALL });
      }
    }
    return count;
  } finally {
    await served[Symbol.asyncDispose]?.();
  }
}

/** Returns the places of logs in embedded stores that pods of the workflow wrote. */
function logsOf(workflow: Workflow): Place[] {
  return Object.values(workflow.status?.nodes ?? {}).flatMap((node: NodeStatus) => {
    if (node.type !== "Pod" || node.memoizationStatus?.hit) return [];
    const logs = (node.outputs?.artifacts ?? []).filter(({ name, deleted }) => name.endsWith(LOG_SUFFIX) && !deleted);
    return logs.flatMap(({ name: artifactName }) => {
      const place = tryCompletePlace(workflow, { nodeId: node.id, artifactName });
      return place && isEmbedded(place) && isOwnKey(place.key, workflow, node, artifactName) ? [place] : [];
    });
  });
}

function tryCompletePlace(workflow: Workflow, choice: Parameters<typeof completePlace>[1]): Place | undefined {
  try {
    return completePlace(workflow, choice);
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}

/**
 * Whether a key is that of this pod's log: it contains workflow, pod and container. Nodes that were copied from an
 * earlier workflow have that workflow's name; a key with fewer parts may be shared.
 */
function isOwnKey(key: string, workflow: Workflow, node: NodeStatus, artifactName: string): boolean {
  const folders = key.split("/");
  const file = folders.pop();
  return file === `${artifactName.slice(0, -LOG_SUFFIX.length)}.log` && folders.at(-1) === podNameOf(workflow, node) &&
    folders.slice(0, -1).includes(workflow.metadata.name ?? "");
}

function isEmbedded({ store, settings: { bucket, accessKeySecret, endpoint } }: Place): boolean {
  return store === "s3" && bucket === EMBEDDED_STORE.bucket &&
    fieldsOf(accessKeySecret).name === EMBEDDED_STORE.secret.name && String(endpoint).startsWith("127.0.0.1:");
}

/**
 * Whether a place is in this repository, and not in the store of another cluster or of another program at a reused
 * port.
 */
function isSameStore({ settings: { endpoint } }: Place, repository: object | undefined): boolean {
  return endpoint === fieldsOf(fieldsOf(repository).s3).endpoint;
}

async function isNamespace(client: KubeClient, namespace: string): Promise<boolean> {
  try {
    await client.get(NAMESPACES, undefined, namespace);
    return true;
  } catch (error) {
    if (classifyError(error) === "notFound") return false;
    throw error;
  }
}

/** Whether any namespace has a workflow with the name. */
async function workflowExists(client: KubeClient, name: string): Promise<boolean> {
  const { items } = await client.list(WORKFLOWS, undefined, { fieldSelector: `metadata.name=${name}`, limit: 1 });
  return items.length > 0;
}
