/** In which form the nodes of a workflow are stored: as they are, or compressed when they are many. */
import type { NodeStatus, Workflow } from "../../lib/api/mod.ts";
import { compressNodes } from "../../lib/nodes/mod.ts";

type Nodes = Readonly<Record<string, NodeStatus>>;

/** What Argo takes for the size that an object may have: etcd takes a little more, and the server adds to it. */
const MAX_BYTES = 1024 * 1024;

/** The status is too large in any form. The message is for the workflow's author. */
export class StatusTooLargeError extends Error {
  override readonly name = "StatusTooLargeError";
}

/** How the nodes of one workflow are stored, and how large they are. */
export class StoredNodes {
  readonly #maxBytes: number;
  readonly #bytes = new Map<string, number>();
  #total = 0;
  #compressed: boolean;

  /** `compressed`: the form in which the nodes were read. Once compressed they stay so. */
  constructor(compressed: boolean, maxBytes = MAX_BYTES) {
    this.#compressed = compressed;
    this.#maxBytes = maxBytes;
  }

  /**
   * The patch in the form in which it is to be stored; only touched nodes are measured anew.
   * @throws {StatusTooLargeError} when even the compressed nodes are too large.
   */
  async pack(
    patch: Readonly<Record<string, unknown>>,
    after: Workflow,
    touched: ReadonlySet<string>,
  ): Promise<Record<string, unknown>> {
    const nodes = after.status?.nodes;
    if (!nodes) return patch;
    this.#measure(nodes, touched);
    const wasCompressed = this.#compressed;
    if (!wasCompressed && this.#total <= this.#maxBytes) return patch;
    const status = { ...patch.status as Record<string, unknown> | undefined };
    if (wasCompressed && !("nodes" in status)) return patch;
    const compressedNodes = await compressNodes(nodes);
    if (compressedNodes.length > this.#maxBytes) throw new StatusTooLargeError(this.#explain(nodes, compressedNodes));
    this.#compressed = true;
    return { ...patch, status: { ...status, nodes: null, compressedNodes } };
  }

  #measure(nodes: Nodes, touched: ReadonlySet<string>): void {
    const ids = this.#bytes.size === 0 ? Object.keys(nodes) : touched;
    for (const id of ids) {
      const bytes = JSON.stringify(nodes[id]).length + id.length;
      this.#total += bytes - (this.#bytes.get(id) ?? 0);
      this.#bytes.set(id, bytes);
    }
  }

  #explain(nodes: Nodes, compressed: string): string {
    const count = Object.keys(nodes).length;
    return `the status of ${count} nodes takes ${compressed.length} bytes even compressed, and Kubernetes keeps no more than ${this.#maxBytes}: make smaller workflows of this one`;
  }
}
