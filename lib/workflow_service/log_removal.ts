/**
 * Logs that go with an archived row: those that pods put out as artifacts (`archiveLogs`) into the store of an embedded
 * cluster, which nobody else can clean. Logs in other stores are their owner's.
 */
import { type NodeStatus, storedWorkflow, type Workflow } from "../api/mod.ts";
import type { BeforeDelete } from "../archive/mod.ts";
import type { Place } from "../artifact/driver.ts";
import { EMBEDDED_STORE } from "../constants.ts";
import { fieldsOf } from "../fields_of.ts";
import { dataOf, type KubeClient, NAMESPACES, SECRETS, sortError, WORKFLOWS } from "../kube/mod.ts";
import { podNameOf } from "../status/mod.ts";
import { ActionError } from "../workflow_actions/mod.ts";
import { wholePlace } from "./place_of_artifact.ts";

/** A store of an embedded cluster that is served until it is disposed of. */
export interface ServedLogs extends Partial<AsyncDisposable> {
  /** The repository of its cluster, as an artifact names it. */
  readonly repository: object | undefined;
}

/** The cluster of a workflow, its store, and the other workflows of its archive. */
interface LogRemoval {
  readonly client: KubeClient;
  /** The store, as a namespace reaches it; it is asked for where there may be logs. */
  readonly serve: (namespace: string) => Promise<ServedLogs>;
  /** The number of archived workflows of a name, in all namespaces. */
  readonly namesakes: (name: string) => Promise<number>;
}

/** Deletes the logs that an archived workflow left in the embedded store, before its row goes. */
export function withoutLogs(client: KubeClient, serve: LogRemoval["serve"] = announcedStore(client)): BeforeDelete {
  return async (archived, archive) => {
    const namesakes = (name: string) => archive.count({ name });
    await removeStoredLogs(storedWorkflow.row(archived), { client, serve, namesakes });
  };
}

/** The store that the Secret of a namespace announces: who reaches no more of an embedded cluster than its API knows it by that. */
function announcedStore(client: KubeClient): LogRemoval["serve"] {
  return async (namespace) => {
    const { name, endpoint } = EMBEDDED_STORE.secret;
    try {
      const address = dataOf(await client.get(SECRETS, namespace, name))[endpoint];
      return { repository: address === undefined ? undefined : { s3: { endpoint: atob(address) } } };
    } catch (error) {
      if (sortError(error) === "notFound") return { repository: undefined };
      throw error;
    }
  };
}

/** The time that all logs of a workflow may take: the store is on this machine. */
const REMOVED_WITHIN_MS = 60_000;

/** The end of the names of artifacts in which logs are. */
const LOGS = "-logs";

/**
 * Deletes the logs of an archived workflow; resolves to their number. Only what it wrote itself goes: where a workflow of
 * its name is in the cluster, or archived beside it, the logs may be that one's, and all stay. Namespaces make no
 * difference, as the keys of most repositories have none. Where its namespace is gone, and with it the keys to the store, all
 * stay, too.
 * @throws {StoreError} when the store does not delete them.
 */
async function removeStoredLogs(workflow: Workflow, { client, serve, namesakes }: LogRemoval): Promise<number> {
  const places = logsOf(workflow);
  const { namespace = "", name = "" } = workflow.metadata;
  if (places.length === 0 || await isThere(client, name) || await namesakes(name) > 1) return 0;
  if (!await isNamespace(client, namespace)) return 0;
  const served = await serve(namespace);
  try {
    const [{ removeAt }, { ANYWHERE }] = await Promise.all([import("./artifacts.ts"), import("../net/mod.ts")]);
    const signal = AbortSignal.timeout(REMOVED_WITHIN_MS);
    let count = 0;
    for (const place of places) {
      if (isSameStore(place, served.repository)) {
        // It is the repository that this machine serves itself.
        count += await removeAt(client, workflow, place, { signal, reach: ANYWHERE });
      }
    }
    return count;
  } finally {
    await served[Symbol.asyncDispose]?.();
  }
}

/** The places in embedded stores of logs that pods of the workflow wrote. */
function logsOf(workflow: Workflow): Place[] {
  return Object.values(workflow.status?.nodes ?? {}).flatMap((node: NodeStatus) => {
    if (node.type !== "Pod" || node.memoizationStatus?.hit) return [];
    const logs = (node.outputs?.artifacts ?? []).filter(({ name, deleted }) => name.endsWith(LOGS) && !deleted);
    return logs.flatMap(({ name: artifactName }) => {
      const place = placeOrNone(workflow, { nodeId: node.id, artifactName });
      return place && isEmbedded(place) && isOwnKey(place.key, workflow, node, artifactName) ? [place] : [];
    });
  });
}

function placeOrNone(workflow: Workflow, choice: Parameters<typeof wholePlace>[1]): Place | undefined {
  try {
    return wholePlace(workflow, choice);
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}

/**
 * Whether a key is one of this very pod's log: it names workflow, pod and container. Nodes that were taken over from an
 * earlier workflow name that one's; a key that names less may be shared.
 */
function isOwnKey(key: string, workflow: Workflow, node: NodeStatus, artifactName: string): boolean {
  const folders = key.split("/");
  const file = folders.pop();
  return file === `${artifactName.slice(0, -LOGS.length)}.log` && folders.at(-1) === podNameOf(workflow, node) &&
    folders.slice(0, -1).includes(workflow.metadata.name ?? "");
}

function isEmbedded({ store, settings: { bucket, accessKeySecret, endpoint } }: Place): boolean {
  return store === "s3" && bucket === EMBEDDED_STORE.bucket &&
    fieldsOf(accessKeySecret).name === EMBEDDED_STORE.secret.name && String(endpoint).startsWith("127.0.0.1:");
}

/** Another cluster's store, or one at a port that somebody else has by now, is not asked. */
function isSameStore({ settings: { endpoint } }: Place, repository: object | undefined): boolean {
  return endpoint === fieldsOf(fieldsOf(repository).s3).endpoint;
}

async function isNamespace(client: KubeClient, namespace: string): Promise<boolean> {
  try {
    await client.get(NAMESPACES, undefined, namespace);
    return true;
  } catch (error) {
    if (sortError(error) === "notFound") return false;
    throw error;
  }
}

/** Whether any namespace has a workflow of the name. */
async function isThere(client: KubeClient, name: string): Promise<boolean> {
  const { items } = await client.list(WORKFLOWS, undefined, { fieldSelector: `metadata.name=${name}`, limit: 1 });
  return items.length > 0;
}
