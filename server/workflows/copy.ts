/** The server's cache of the workflows it may see, kept current by an informer. Lists are served from it. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { keyOf, type KubeClient, WORKFLOWS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { LABEL } from "@tiphys/base/constants";
import { ChangeFeed } from "./change_feed.ts";
import { compareKeys, pageKey } from "./page.ts";

/** The workflows of a namespace, in the order of lists. */
export interface CopiedList {
  readonly workflows: readonly Workflow[];
  /** The workflows that lists show from the cluster; archived ones are shown from the archive. */
  readonly listed: readonly Workflow[];
  readonly keptUids: ReadonlySet<string>;
}

/** A cache of workflows. Its objects are shared and must not be modified. */
export class WorkflowCopy {
  readonly #informer: Informer<Workflow>;
  /** The only namespace in the cache; undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** The changes of the cache, for watchers. */
  readonly changes: ChangeFeed;
  /** Sorted lists by namespace, until the next change. */
  readonly #lists = new Map<string, CopiedList>();

  /** Caches one namespace, or all of them. */
  constructor(
    client: KubeClient,
    { namespace, onError }: { readonly namespace?: string | undefined; readonly onError: (error: unknown) => void },
  ) {
    this.namespace = namespace;
    this.#informer = new Informer<Workflow>(client, WORKFLOWS, {
      namespace,
      onError,
      convert: storedWorkflow.row,
      indexers: { namespace: ({ metadata }) => [metadata.namespace ?? ""] },
    });
    this.changes = new ChangeFeed(() => this.#informer.list());
    this.#informer.onChange((type, object, old) => {
      this.#lists.clear();
      this.changes.record(type, object, old);
    });
  }

  /** Resolves when the cache is complete. It stays current until the signal is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#informer.start(signal);
    this.changes.begin(this.#informer.version);
  }

  /** Reports whether the cache is complete. */
  get synced(): boolean {
    return this.#informer.isSynced;
  }

  /**
   * The version of the cache: a watch that starts there receives all later changes. Undefined until the cache is
   * complete.
   */
  get version(): string | undefined {
    return this.#informer.version;
  }

  /** Reports whether the workflow exists. */
  has(namespace: string, name: string): boolean {
    return this.#informer.get(keyOf({ metadata: { namespace, name } })) !== undefined;
  }

  /** Returns all workflows of a namespace, or of all namespaces, in the order of lists. */
  list(namespace: string | undefined): CopiedList {
    const found = this.#lists.get(namespace ?? "");
    if (found) return found;
    const all = namespace ? this.#informer.byIndex("namespace", namespace) : this.#informer.list();
    const workflows = all.sort((a, b) => compareKeys(pageKey(a), pageKey(b)));
    const listed = workflows.filter(({ metadata }) => metadata.labels?.[LABEL.archivingStatus] !== "Archived");
    const list = { workflows, listed, keptUids: new Set(listed.map(({ metadata }) => metadata.uid ?? "")) };
    // Only existing namespaces are cached: the number of other names that clients can send is unlimited.
    if (all.length > 0) this.#lists.set(namespace ?? "", list);
    return list;
  }
}
