/** The form in which the nodes of a workflow are stored: plain, or compressed when there are many. */
import { UserError } from "@tiphys/base/user_error";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import type { Change, EngineConfig } from "@tiphys/engine";
import { compressNodes, type NodeCompression } from "@tiphys/model/nodes";

type Nodes = Readonly<Record<string, NodeStatus>>;

/** The status is too large in every form in which it can be stored. The message is for the workflow's author. */
export class StatusTooLargeError extends UserError {
  override readonly name = "StatusTooLargeError";
}

/** An error because the nodes have to be compressed, which only the slow lane does. */
export class NeedsSlowLaneError extends Error {
  override readonly name = "NeedsSlowLaneError";
}

const sizes = new WeakMap<object, number>();

/** Bytes of the parts besides the nodes that may be large. None of them is changed in place. */
function sizeWithoutNodes({ spec, metadata, status }: Workflow): number {
  const parts = [
    spec,
    metadata.annotations,
    status?.storedTemplates,
    status?.storedWorkflowTemplateSpec,
    status?.outputs,
  ];
  let total = 0;
  for (const part of parts) {
    if (!part) continue;
    let size = sizes.get(part);
    if (size === undefined) sizes.set(part, size = JSON.stringify(part).length);
    total += size;
  }
  return total;
}

/** The form in which the nodes of one workflow are stored, and their size. */
export class StoredNodes {
  readonly #maxBytes: number;
  readonly #bytes = new Map<string, number>();
  #total = 0;
  #compressed: boolean;
  readonly #mayCompress: boolean;
  readonly #mayBeOffloaded: boolean;
  readonly #compression: NodeCompression | undefined;

  /**
   * `compressed`: whether the nodes were read in that form; they stay compressed. `mayCompress`: whether this thread
   * compresses, which takes long. `mayBeOffloaded`: whether nodes that are still too large go to a database.
   */
  constructor(
    compressed: boolean,
    maxBytes: number = LIMITS.storedStatusBytes,
    { mayCompress = true, mayBeOffloaded = false, compression }: {
      readonly mayCompress?: boolean;
      readonly mayBeOffloaded?: boolean;
      readonly compression?: NodeCompression | undefined;
    } = {},
  ) {
    this.#compressed = compressed;
    this.#maxBytes = maxBytes;
    this.#mayCompress = mayCompress;
    this.#mayBeOffloaded = mayBeOffloaded;
    this.#compression = compression;
  }

  /** The number of nodes when they were last packed. */
  get #count(): number {
    return this.#bytes.size;
  }

  /**
   * Returns the patch in the form to store; only changed nodes are measured.
   * @throws {StatusTooLargeError} if even the compressed nodes are too large.
   * @throws {NeedsSlowLaneError} if the slow lane has to compress them.
   */
  async pack(
    patch: Readonly<Record<string, unknown>>,
    { head, nodes: { changed, record } }: Change,
  ): Promise<Record<string, unknown>> {
    this.#measure(head.status?.nodes ?? {}, changed);
    if (this.#count === 0) return patch;
    const wasCompressed = this.#compressed;
    if (!wasCompressed && this.#total + sizeWithoutNodes(head) <= this.#maxBytes) return patch;
    const status = { ...patch.status as Record<string, unknown> | undefined };
    if (wasCompressed && !("nodes" in status)) return patch;
    if (!this.#mayCompress) throw new NeedsSlowLaneError("the nodes of a workflow have to be compressed");
    // Nodes that are too large to be read again are not written.
    if (this.#total > LIMITS.nodesBytes) throw new StatusTooLargeError(this.#explainSize());
    const compressedNodes = await compressNodes(
      changed.size === 0 ? head.status?.nodes ?? {} : record(),
      this.#compression,
    );
    if (compressedNodes.length > this.#maxBytes && !this.#mayBeOffloaded) {
      throw new StatusTooLargeError(this.#explain(compressedNodes));
    }
    this.#compressed = true;
    return { ...patch, status: { ...status, nodes: null, compressedNodes } };
  }

  #measure(before: Nodes, changed: ReadonlyMap<string, NodeStatus>): void {
    if (this.#bytes.size === 0) { for (const [id, node] of Object.entries(before)) this.#measureNode(id, node); }
    for (const [id, node] of changed) this.#measureNode(id, node);
  }

  #measureNode(id: string, node: NodeStatus): void {
    const bytes = JSON.stringify(node).length + id.length;
    this.#total += bytes - (this.#bytes.get(id) ?? 0);
    this.#bytes.set(id, bytes);
  }

  #explainSize(): string {
    return `the status of ${this.#count} nodes takes ${this.#total} bytes, and the maximum is ${LIMITS.nodesBytes}, even if they are compressed: use smaller workflows, or smaller parameters and outputs`;
  }

  #explain(compressed: string): string {
    return `workflow is longer than maximum allowed size. compressed size ${compressed.length} > maxSize ${this.#maxBytes}: the status of ${this.#count} nodes does not fit even compressed: use smaller workflows`;
  }
}

/** The form in which the nodes of a workflow are stored, and may be stored. */
export function storedAs(
  workflow: Workflow,
  { mayCompress = true, offload, compression, maxNodesBytes }:
    & { readonly mayCompress?: boolean }
    & Pick<EngineConfig, "offload" | "compression" | "maxNodesBytes"> = {},
): StoredNodes {
  const isCompressed = Boolean(workflow.status?.compressedNodes) || offload === "always";
  return new StoredNodes(isCompressed, maxNodesBytes, {
    mayCompress,
    mayBeOffloaded: offload !== undefined,
    compression,
  });
}
