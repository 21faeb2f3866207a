/**
 * Nodes that workflows have no room for, in a database. Passes know compressed nodes only: what is read of such a workflow has
 * them as if they lay in it, and what is written is stored on its way.
 */
import type { Workflow } from "@tiphys/model/api";
import { pause } from "@tiphys/base/clock";
import { fieldsOf } from "@tiphys/base/fields_of";
import { KubeError, type KubeObject } from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import { NodesVersion, unpackText, UnreadableNodesError, withNodesPutBack } from "@tiphys/model/nodes";
import type { Clock } from "../../loop/clock.ts";
import type { NodesTable, Version } from "./nodes_table.ts";

/** The database, and the rule by which nodes go there. */
export interface OffloadOptions {
  readonly access: { open(): Promise<{ readonly nodes: NodesTable }> };
  readonly clock: Clock;
  /** Read anew each time. */
  readonly which: () => "large" | "always" | undefined;
  /** The size of compressed nodes for which a workflow has room; read anew, too. */
  readonly storedBytes?: () => number | undefined;
}

/** The number of times that a missing row is looked for, after pauses that double. */
const TRIES = 5;
const FIRST_PAUSE = 100;

/** Nodes lie in a database, and the settings say nothing of one, or no longer that nodes lie there. */
export class OffloadingDisabledError extends UnreadableNodesError {
  constructor() {
    super(
      "Workflow has offloaded nodes, but offloading has been disabled: " +
        "set `nodeStatusOffLoad: true` in `persistence` of the settings, and retry it",
    );
  }
}

/** The version of the nodes of a workflow in a database; undefined where they do not lie there. */
export function offloadedVersion(workflow: KubeObject): string | undefined {
  const { offloadNodeStatusVersion: version } = fieldsOf(workflow.status);
  return typeof version === "string" && version !== "" ? version : undefined;
}

/** The way of nodes into the database and back. */
export class Offload {
  readonly #options: OffloadOptions;

  constructor(options: OffloadOptions) {
    this.#options = options;
  }

  /**
   * A workflow with its nodes, compressed; the same object where they lie in it.
   * @throws {UnreadableNodesError} when they are not there; {@link OffloadingDisabledError} when nothing is kept in a database.
   * @throws {KubeError} of the transient kind, when the database cannot be asked.
   */
  async inflate(workflow: KubeObject): Promise<KubeObject> {
    const version = offloadedVersion(workflow);
    if (version === undefined) return workflow;
    if (this.#options.which() === undefined) throw new OffloadingDisabledError();
    const nodes = await this.#find({ uid: workflow.metadata.uid ?? "", version });
    return { ...workflow, status: await withNodesPutBack(fieldsOf(workflow.status), nodes, version) };
  }

  /**
   * The patch as it goes to the cluster; nodes that are to lie in the database are stored there first.
   * @throws {KubeError} of the transient kind, when that cannot be done now.
   */
  async deflate(
    { metadata: { uid = "", namespace = "" } }: Pick<Workflow, "metadata">,
    patch: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const which = this.#options.which();
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
    await this.#asked("stored", async (table) => {
      await table.save({ uid, version, namespace }, json, new Date(this.#options.clock.now()));
    });
    return {
      ...patch,
      status: { ...status, nodes: null, compressedNodes: null, offloadNodeStatusVersion: version },
    };
  }

  /** The nodes of a version; undefined when they are not there after some looks: others may store them at this moment. */
  async #find(wanted: Pick<Version, "uid" | "version">): Promise<unknown> {
    for (let tries = 1;; tries++) {
      const nodes = await this.#asked("read", (table) => table.load(wanted));
      if (nodes !== undefined || tries >= TRIES) return nodes;
      await pause(this.#options.clock, FIRST_PAUSE * 2 ** (tries - 1));
    }
  }

  /** Trouble of the database passes, as far as a workflow is concerned: nothing of it is the workflow's fault. */
  async #asked<T>(what: string, act: (table: NodesTable) => Promise<T>): Promise<T> {
    try {
      return await act((await this.#options.access.open()).nodes);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new KubeError(`Offloaded nodes could not be ${what}: ${reason}`, { status: 0, cause: error });
    }
  }
}
