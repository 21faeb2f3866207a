/** The server's copy of all workflows that it may see, kept current: lists are answered from it. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { Informer, keyOf, type KubeClient, WORKFLOWS } from "@tiphys/kube";
import { LABEL } from "@tiphys/base/constants";
import { ChangeFeed } from "./change_feed.ts";
import { compareKeys, pageKey } from "./page.ts";

/** The workflows of a list, in its order. */
export interface CopiedList {
  readonly workflows: readonly Workflow[];
  /** The workflows that are not left to the archive, and their UIDs. */
  readonly kept: readonly Workflow[];
  readonly keptUids: ReadonlySet<string>;
}

/** A copy of workflows. Its objects are shared: read, never changed. */
export class WorkflowCopy {
  readonly #informer: Informer<Workflow>;
  /** The only namespace of which there is a copy; all where it is undefined. */
  readonly namespace: string | undefined;
  /** The changes of the copy, for watchers. */
  readonly changes: ChangeFeed;
  /** Lists by namespace, until something changes. */
  readonly #lists = new Map<string, CopiedList>();

  /** Of one namespace, or of all. */
  constructor(
    client: KubeClient,
    { namespace, onError }: { readonly namespace?: string | undefined; readonly onError: (error: unknown) => void },
  ) {
    this.namespace = namespace;
    this.#informer = new Informer<Workflow>(client, WORKFLOWS, {
      namespace,
      onError,
      enter: storedWorkflow.row,
      indexers: { namespace: ({ metadata }) => [metadata.namespace ?? ""] },
    });
    this.changes = new ChangeFeed(() => this.#informer.list());
    this.#informer.onChange((type, object, old) => {
      this.#lists.clear();
      this.changes.record(type, object, old);
    });
  }

  /** Resolves when the copy is whole; it stays current until the signal is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#informer.start(signal);
    this.changes.begin(this.#informer.version);
  }

  /** Whether it is whole. */
  get synced(): boolean {
    return this.#informer.synced;
  }

  /** The version as of which it is current: a watch from there tells what comes after. Undefined before it is whole. */
  get version(): string | undefined {
    return this.#informer.version;
  }

  /** Whether there is a workflow of this name. */
  has(namespace: string, name: string): boolean {
    return this.#informer.get(keyOf({ metadata: { namespace, name } })) !== undefined;
  }

  /** All workflows of a namespace, or of all namespaces, in the order of lists. */
  list(namespace: string | undefined): CopiedList {
    const found = this.#lists.get(namespace ?? "");
    if (found) return found;
    const all = namespace ? this.#informer.byIndex("namespace", namespace) : this.#informer.list();
    const workflows = all.sort((a, b) => compareKeys(pageKey(a), pageKey(b)));
    const kept = workflows.filter(({ metadata }) => metadata.labels?.[LABEL.archivingStatus] !== "Archived");
    const list = { workflows, kept, keptUids: new Set(kept.map(({ metadata }) => metadata.uid ?? "")) };
    // Nobody asks for more namespaces than there are, but anybody may ask for one that is not there.
    if (all.length > 0) this.#lists.set(namespace ?? "", list);
    return list;
  }
}
