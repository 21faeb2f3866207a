/** Deletes offloaded nodes that no workflow references, at intervals. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";
import { Rounds } from "../../loop/rounds.ts";
import type { NodesTable, Version } from "./nodes_table.ts";
import type { OffloadOptions } from "./offload.ts";

/** The table to clean, and the known workflows. */
export interface OffloadGcOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: { open(): Promise<{ readonly nodes: Pick<NodesTable, "delete" | "listOlderThan"> }> };
  readonly which: OffloadOptions["offloadMode"];
  /** The workflows of this controller. */
  readonly workflows: () => readonly KubeObject[];
  /** The time between two rounds, in milliseconds; 0 for no rounds. */
  readonly everyMillis: number;
  /** Younger nodes are kept, because a write that references them may be in progress. */
  readonly youngMillis: number;
}

/** A page of a list of workflows. */
const PAGE = 500;

/** The rounds through the table. */
export function offloadRounds(options: OffloadGcOptions): Rounds {
  const { clock, everyMillis } = options;
  return new Rounds({ clock, everyMillis, round: (signal) => collect(options, signal) });
}

/** Runs one round. The next round retries what failed. */
async function collect(options: OffloadGcOptions, signal: AbortSignal): Promise<void> {
  const { access, clock, log, which, youngMillis } = options;
  if (which() === undefined) return;
  let deleted = 0;
  try {
    const { nodes } = await access.open();
    const bound = new Date(clock.now() - youngMillis);
    const others = new Map<string, Promise<ReadonlySet<string>>>();
    let last: Version | undefined;
    do {
      const batch = await nodes.listOlderThan(bound, last);
      last = batch.at(-1);
      const unused = await unusedVersions(options, batch, others);
      await nodes.delete(unused, bound);
      deleted += unused.length;
    } while (last && !signal.aborted);
  } catch (error) {
    if (signal.aborted) return;
    log.warn("Could not delete unused offloaded nodes", { error: String(error) });
  }
  if (deleted > 0) log.info("Deleted unused offloaded nodes", { count: deleted });
}

/**
 * Returns the versions that no workflow references. Workflows of other controllers, which may share the table, are
 * read from the cluster, once for each namespace.
 */
async function unusedVersions(
  { client, workflows }: OffloadGcOptions,
  batch: readonly Version[],
  others: Map<string, Promise<ReadonlySet<string>>>,
): Promise<Version[]> {
  const own = workflows();
  const ownUids = new Set(own.map(({ metadata }) => metadata.uid));
  const named = referencedVersions(own);
  const unused: Version[] = [];
  for (const version of batch) {
    if (named.has(idOf(version))) continue;
    if (!ownUids.has(version.uid)) {
      const { namespace } = version;
      let found = others.get(namespace);
      if (!found) others.set(namespace, found = readReferencedVersions(client, namespace));
      if ((await found).has(idOf(version))) continue;
    }
    unused.push(version);
  }
  return unused;
}

/** Returns the versions that the workflows of a namespace reference, read page by page. */
async function readReferencedVersions(client: KubeClient, namespace: string): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  let next: string | undefined;
  do {
    const { items, metadata } = await client.inBackground()
      .list<KubeObject>(WORKFLOWS, namespace, { limit: PAGE, continue: next });
    for (const id of referencedVersions(items)) named.add(id);
    next = metadata.continue;
  } while (next);
  return named;
}

function referencedVersions(workflows: readonly KubeObject[]): Set<string> {
  return new Set(workflows.flatMap(({ metadata: { uid = "" }, status }) => {
    const version = fieldsOf(status).offloadNodeStatusVersion;
    return typeof version === "string" ? [idOf({ uid, version })] : [];
  }));
}

function idOf({ uid, version }: Pick<Version, "uid" | "version">): string {
  return `${uid} ${version}`;
}
