/** Archives finished workflows that wait for it, a few at a time. */
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { classifyError, keyOf, type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { ANY_NUMBER, unpackNodes } from "@tiphys/model/nodes";
import { Backoff } from "../../loop/backoff.ts";
import type { Clock } from "../../loop/clock.ts";
import type { Archive, ArchiveAccess } from "./archive_access.ts";

/** The archive to fill, and the client that reads and labels workflows. */
export interface ArchiverOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Pick<ArchiveAccess, "isEnabled" | "open">;
  /** Reads the nodes of a workflow from the database. */
  readonly inflate: (workflow: KubeObject) => Promise<KubeObject>;
  /** The number of workflows that are archived concurrently. */
  readonly workers: number;
  /** Whether processing is paused. */
  readonly isPaused: () => boolean;
}

/** The back-off of failed attempts. */
const RETRY_BACKOFF = { firstMillis: 1000, maxMillis: 300_000 };

/** The name of the database's errors. */
const DATABASE_ERROR = "database";

/** Archives workflows. Those that wait keep their label, so a new process finds them again. */
export class Archiver {
  readonly #options: ArchiverOptions;
  readonly #backoff = new Backoff(RETRY_BACKOFF);
  readonly #waiting = new Set<string>();
  readonly #busy = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, () => void>();
  #isClosed = false;

  constructor(options: ArchiverOptions) {
    this.#options = options;
  }

  /** Records a workflow that was added or changed. */
  recordWorkflow(type: "added" | "modified" | "deleted", workflow: KubeObject): void {
    const key = keyOf(workflow);
    if (type === "deleted" || !isPending(workflow)) {
      this.#waiting.delete(key);
      return;
    }
    if (this.#timers.has(key)) return;
    this.#waiting.add(key);
    this.#startWorkers();
  }

  /** Retries after a change that may have removed an obstacle. */
  reconsider(): void {
    this.#startWorkers();
  }

  /** Stops; resolves when nothing is in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const takeBack of this.#timers.values()) takeBack();
    await Promise.all(this.#busy.values());
  }

  #startWorkers(): void {
    const { access, isPaused, workers } = this.#options;
    if (this.#isClosed || this.#waiting.size === 0 || !access.isEnabled || isPaused()) return;
    if (this.#timers.has(DATABASE_ERROR)) return;
    for (const key of this.#waiting) {
      if (this.#busy.size >= workers) return;
      if (this.#busy.has(key)) continue;
      this.#waiting.delete(key);
      const work = this.#work(key).finally(() => {
        this.#busy.delete(key);
        this.#startWorkers();
      });
      this.#busy.set(key, work);
    }
  }

  async #work(key: string): Promise<void> {
    const { access, log } = this.#options;
    let archive: Archive | undefined;
    try {
      archive = await access.open();
      await this.#archive(archive, key);
      this.#backoff.forget(key);
      this.#backoff.forget(DATABASE_ERROR);
    } catch (error) {
      if (archive && classifyError(error) === "notFound") return this.#backoff.forget(key);
      // One retry waits for an unreachable database, under one name for all workflows.
      const name = !archive || isDatabaseGone(error) ? DATABASE_ERROR : key;
      const millis = this.#retryLater(name, key);
      if (archive && classifyError(error) === "conflict") return;
      log.warn("Could not archive the workflow, retrying", {
        workflow: key,
        seconds: millis / 1000,
        error: String(error),
      });
    }
  }

  /** Queues a workflow again after a delay; returns the delay in milliseconds. */
  #retryLater(name: string, key: string): number {
    if (name === DATABASE_ERROR) this.#waiting.add(key);
    if (this.#timers.has(name)) return 0;
    const millis = this.#backoff.next(name);
    const takeBack = this.#options.clock.after(millis, () => {
      this.#timers.delete(name);
      if (name === key) this.#waiting.add(key);
      this.#startWorkers();
    });
    this.#timers.set(name, takeBack);
    return millis;
  }

  /** Stores the current state of a workflow, and changes its label only if that is still the current version. */
  async #archive(archive: Archive, key: string): Promise<void> {
    const { client, log } = this.#options;
    const [namespace, name = ""] = key.split("/");
    const workflow = await client.inBackground().get<KubeObject>(WORKFLOWS, namespace, name);
    if (!isPending(workflow)) return;
    await archive.archive(await withUnpackedNodes(await this.#options.inflate(workflow)));
    const { uid, resourceVersion } = workflow.metadata;
    const change = { metadata: { uid, resourceVersion, labels: { [LABEL.archivingStatus]: "Archived" } } };
    await client.inBackground().patch(WORKFLOWS, namespace, name, change, "merge", { answer: "metadata" });
    log.debug("Archived the workflow", { workflow: key });
  }
}

function isPending({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABEL.archivingStatus] === "Pending" && metadata.labels[LABEL.completed] === "true";
}

/** The workflow with its nodes in `status.nodes`. */
async function withUnpackedNodes(workflow: KubeObject): Promise<KubeObject> {
  const { compressedNodes, ...status } = fieldsOf(workflow.status);
  if (typeof compressedNodes !== "string") return workflow;
  return { ...workflow, status: { ...status, nodes: await unpackNodes(compressedNodes, { nodes: ANY_NUMBER }) } };
}

/** Whether an error, from any library, is about the database and not about the workflow. */
function isDatabaseGone(error: unknown): boolean {
  const { name, sort } = fieldsOf(error);
  return name === "DatabaseError" && (sort === "unreachable" || sort === "credentials");
}
