/**
 * Nodes in a database, for workflows that are too large. Passes see compressed nodes only: a workflow that is read gets
 * them as if they were part of it, and nodes that are too large are stored there before a write.
 */
import type { Workflow } from "@tiphys/model/api";
import { pause } from "@tiphys/base/clock";
import { fieldsOf } from "@tiphys/base/fields_of";
import { KubeError, type KubeObject } from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import { NodesVersion, unpackText, UnreadableNodesError, withRestoredNodes } from "@tiphys/model/nodes";
import type { Clock } from "../../loop/clock.ts";
import type { NodesTable, Version } from "./nodes_table.ts";

/** The database, and the rule by which nodes are stored there. */
export interface OffloadOptions {
  readonly access: { open(): Promise<{ readonly nodes: NodesTable }> };
  readonly clock: Clock;
  /** Returns which nodes are offloaded; may change. */
  readonly offloadMode: () => "large" | "always" | undefined;
  /** Returns the maximum size of compressed nodes in a workflow; may change. */
  readonly storedBytes?: () => number | undefined;
}

/** The maximum number of reads of a missing row, with exponential back-off. */
const TRIES = 5;
const FIRST_PAUSE = 100;

/** An error because nodes are in a database, but the settings do not name one, or no longer enable it. */
export class OffloadingDisabledError extends UnreadableNodesError {
  constructor() {
    super(
      "Workflow has offloaded nodes, but offloading has been disabled: " +
        "set `nodeStatusOffLoad: true` in `persistence` of the settings, and retry it",
    );
  }
}

/** The version of the nodes of a workflow in a database; undefined if they are not there. */
export function offloadedVersion(workflow: KubeObject): string | undefined {
  const { offloadNodeStatusVersion: version } = fieldsOf(workflow.status);
  return typeof version === "string" && version !== "" ? version : undefined;
}

/** Moves nodes into the database and back. */
export class Offload {
  readonly #options: OffloadOptions;

  constructor(options: OffloadOptions) {
    this.#options = options;
  }

  /**
   * Returns a workflow with its nodes, compressed; the same object if it has them.
   * @throws {UnreadableNodesError} if they are missing; {@link OffloadingDisabledError} if no database is enabled.
   * @throws {KubeError} a transient error if the database is not available.
   */
  async inflate(workflow: KubeObject): Promise<KubeObject> {
    const version = offloadedVersion(workflow);
    if (version === undefined) return workflow;
    if (this.#options.offloadMode() === undefined) throw new OffloadingDisabledError();
    const nodes = await this.#find({ uid: workflow.metadata.uid ?? "", version });
    return { ...workflow, status: await withRestoredNodes(fieldsOf(workflow.status), nodes, version) };
  }

  /**
   * Returns the patch for the cluster, after storing nodes that belong in the database.
   * @throws {KubeError} a transient error if that is not possible now.
   */
  async deflate(
    { metadata: { uid = "", namespace = "" } }: Pick<Workflow, "metadata">,
    patch: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const which = this.#options.offloadMode();
    const status = fieldsOf(patch.status);
    const { compressedNodes } = status;
    if (typeof compressedNodes !== "string") return patch;
    const hasRoom = compressedNodes.length <= (this.#options.storedBytes?.() ?? LIMITS.storedStatusBytes);
    if (which === undefined || which === "large" && hasRoom) {
      return { ...patch, status: { ...status, offloadNodeStatusVersion: null } };
    }
    const hash = new NodesVersion();
    const json = await unpackText(compressedNodes, (bytes) => hash.read(bytes));
    const version = String(hash);
    await this.#query("stored", async (table) => {
      await table.save({ uid, version, namespace }, json, new Date(this.#options.clock.now()));
    });
    return {
      ...patch,
      status: { ...status, nodes: null, compressedNodes: null, offloadNodeStatusVersion: version },
    };
  }

  /**
   * Reads the nodes of a version; undefined if they are missing after some attempts, because another process may be
   * storing them.
   */
  async #find(version: Pick<Version, "uid" | "version">): Promise<unknown> {
    for (let tries = 1;; tries++) {
      const nodes = await this.#query("read", (table) => table.load(version));
      if (nodes !== undefined || tries >= TRIES) return nodes;
      await pause(this.#options.clock, FIRST_PAUSE * 2 ** (tries - 1));
    }
  }

  /**
   * Runs a query. An error of the database is a transient error for a workflow, because the workflow does not cause it.
   */
  async #query<T>(subject: string, act: (table: NodesTable) => Promise<T>): Promise<T> {
    try {
      return await act((await this.#options.access.open()).nodes);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new KubeError(`Offloaded nodes could not be ${subject}: ${reason}`, { status: 0, cause: error });
    }
  }
}
