/** Decompresses nodes of untrusted workflows within limits. */
import { UserError } from "@tiphys/base/user_error";
import { NodeStatus, parseWith } from "../api/mod.ts";
import { LIMITS } from "@tiphys/base/limits";
import { decompress } from "./formats.ts";
import { JsonCounter } from "./json_counter.ts";

/** The error of nodes that cannot be read, with a message for the workflow's author. */
export class UnreadableNodesError extends UserError {
  override readonly name = "UnreadableNodesError";
}

/** Limits of decompression: the number of nodes, and the bytes, values and depth of their JSON. */
export interface UnpackLimits {
  readonly nodes: number;
  readonly bytes: number;
  readonly values: number;
  readonly depth: number;
}

const DEFAULT_LIMITS: UnpackLimits = {
  nodes: LIMITS.nodes,
  bytes: LIMITS.nodesBytes,
  values: LIMITS.nodesValues,
  depth: LIMITS.depth,
};

/**
 * Reads compressed nodes in base64 in any of Argo's formats. Bytes and values are counted during decompression, so that
 * a small text cannot become a large one; only one text is decompressed at a time.
 * @throws {UnreadableNodesError} for an invalid text, or one that exceeds a limit.
 */
export async function unpackNodes(
  text: string,
  limits: Partial<UnpackLimits> = {},
): Promise<Record<string, NodeStatus>> {
  const turn = queue.then(() => unpack(text, { ...DEFAULT_LIMITS, ...limits }));
  queue = turn.catch(() => {});
  return await turn;
}

/** The last decompression in the queue. */
let queue: Promise<unknown> = Promise.resolve();

async function unpack(text: string, limits: UnpackLimits): Promise<Record<string, NodeStatus>> {
  let nodes: unknown;
  try {
    nodes = JSON.parse(await unzip(Uint8Array.fromBase64(text), limits));
  } catch (error) {
    if (error instanceof UnreadableNodesError) throw error;
    const reason = (error as Error).message;
    throw new UnreadableNodesError(`status.compressedNodes cannot be unpacked: ${reason}`, { cause: error });
  }
  if (typeof nodes !== "object" || nodes === null || Array.isArray(nodes)) {
    throw new UnreadableNodesError("status.compressedNodes cannot be unpacked: expected an object of nodes");
  }
  return readNodes(nodes, limits.nodes);
}

/** Reads nodes one by one and stops at the first invalid one, so that there is at most one error. */
function readNodes(nodes: object, max: number): Record<string, NodeStatus> {
  const entries = Object.entries(nodes);
  if (entries.length > max) {
    throw new UnreadableNodesError(
      `status.compressedNodes holds ${entries.length} nodes, and a workflow may have ${max}`,
    );
  }
  return Object.fromEntries(entries.map(([id, node]) => {
    const parsed = parseWith(NodeStatus, node, "lenient");
    if (parsed.ok) return [id, parsed.value.id === id ? parsed.value : { ...parsed.value, id }];
    const reason = parsed.errors.slice(0, 1).map(({ path, message }) => `${path}: ${message}`).join();
    throw new UnreadableNodesError(`status.compressedNodes cannot be read: ${JSON.stringify(id)} ${reason}`);
  }));
}

/**
 * Returns the JSON of compressed nodes; `onBytes` receives each piece as it arrives.
 * @throws {UnreadableNodesError} when it exceeds a limit.
 */
export async function unpackText(text: string, onBytes: (bytes: Uint8Array) => void): Promise<string> {
  return await unzip(Uint8Array.fromBase64(text), DEFAULT_LIMITS, onBytes);
}

async function unzip(
  zipped: Uint8Array<ArrayBuffer>,
  limits: UnpackLimits,
  onBytes?: (bytes: Uint8Array) => void,
): Promise<string> {
  const counter = new JsonCounter();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of decompress(zipped)) {
    counter.read(chunk);
    const over = excessMessage(counter, limits);
    if (over) throw new UnreadableNodesError(`status.compressedNodes unpacks to ${over}`);
    onBytes?.(chunk);
    chunks.push(chunk);
  }
  return await new Blob(chunks).text();
}

function excessMessage({ bytes, values, depth }: JsonCounter, limits: UnpackLimits): string | undefined {
  if (bytes > limits.bytes) return `more than ${limits.bytes} bytes`;
  if (values > limits.values) return `more than ${limits.values} values`;
  return depth > limits.depth ? `lists and objects more than ${limits.depth} deep` : undefined;
}
