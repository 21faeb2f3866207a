/** Offloaded nodes that no workflow names any more go, round by round. */
import { fieldsOf } from "../../../lib/fields_of.ts";
import { type KubeClient, type KubeObject, WORKFLOWS } from "../../../lib/kube/mod.ts";
import type { Log } from "../../../lib/log.ts";
import type { Clock } from "../../loop/clock.ts";
import type { NodesTable, Version } from "./nodes_table.ts";
import type { OffloadOptions } from "./offload.ts";

/** The table that the rounds clean, and what is known of workflows. */
export interface OffloadGcOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: { open(): Promise<{ readonly nodes: Pick<NodesTable, "delete" | "olderThan"> }> };
  readonly which: OffloadOptions["which"];
  /** The workflows of this controller. */
  readonly workflows: () => readonly KubeObject[];
  /** The time between two rounds, in milliseconds; 0 for no rounds. */
  readonly everyMillis: number;
  /** The age up to which stored nodes stay: a write that names them may be under way. */
  readonly youngMillis: number;
}

/** Rounds through the table. */
export class OffloadGc {
  readonly #options: OffloadGcOptions;
  readonly #stop = new AbortController();
  #takeBack = () => {};
  #round: Promise<void> = Promise.resolve();

  constructor(options: OffloadGcOptions) {
    this.#options = options;
  }

  /** Begins the rounds. */
  start(): void {
    if (this.#options.everyMillis > 0) this.#next();
  }

  /** Ends the rounds; resolves when the last one is made. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#takeBack();
    await this.#round;
  }

  #next(): void {
    if (this.#stop.signal.aborted) return;
    this.#takeBack = this.#options.clock.after(this.#options.everyMillis, () => {
      this.#round = this.#collect().finally(() => this.#next());
    });
  }

  /** Makes one round. What fails is left to the next one. */
  async #collect(): Promise<void> {
    const { access, clock, log, which, youngMillis } = this.#options;
    if (which() === undefined) return;
    let deleted = 0;
    try {
      const { nodes } = await access.open();
      const bound = new Date(clock.now() - youngMillis);
      const others = new Map<string, Promise<ReadonlySet<string>>>();
      let last: Version | undefined;
      do {
        const batch = await nodes.olderThan(bound, last);
        last = batch.at(-1);
        const unused = await this.#unused(batch, others);
        await nodes.delete(unused, bound);
        deleted += unused.length;
      } while (last && !this.#stop.signal.aborted);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      log.warn("Offloaded nodes that nobody names could not be deleted", { error: String(error) });
    }
    if (deleted > 0) log.info("Offloaded nodes that nobody names were deleted", { count: deleted });
  }

  /**
   * The versions that no workflow names. Of workflows that are not this controller's the cluster is asked, once for each
   * namespace: another controller may share the table.
   */
  async #unused(batch: readonly Version[], others: Map<string, Promise<ReadonlySet<string>>>): Promise<Version[]> {
    const own = this.#options.workflows();
    const ownUids = new Set(own.map(({ metadata }) => metadata.uid));
    const named = namedBy(own);
    const unused: Version[] = [];
    for (const version of batch) {
      if (named.has(idOf(version))) continue;
      if (!ownUids.has(version.uid)) {
        const { namespace } = version;
        let found = others.get(namespace);
        if (!found) others.set(namespace, found = this.#namedIn(namespace));
        if ((await found).has(idOf(version))) continue;
      }
      unused.push(version);
    }
    return unused;
  }

  async #namedIn(namespace: string): Promise<ReadonlySet<string>> {
    const { items } = await this.#options.client.inBackground().list<KubeObject>(WORKFLOWS, namespace);
    return namedBy(items);
  }
}

function namedBy(workflows: readonly KubeObject[]): Set<string> {
  return new Set(workflows.flatMap(({ metadata: { uid = "" }, status }) => {
    const version = fieldsOf(status).offloadNodeStatusVersion;
    return typeof version === "string" ? [idOf({ uid, version })] : [];
  }));
}

function idOf({ uid, version }: Pick<Version, "uid" | "version">): string {
  return `${uid} ${version}`;
}
