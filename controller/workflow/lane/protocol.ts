/** The messages between the two ends of a slow lane in another thread. */
import type { Pod, WorkflowTaskResult } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { EngineConfig, ObservedState, ReadConfigMap, Refusal } from "@tiphys/engine";
import type { GarbageFacts } from "@tiphys/engine/garbage";
import type { LockFacts } from "@tiphys/engine/locks";
import type { MemoLookup } from "@tiphys/engine/memo";
import type { LockAnswer } from "@tiphys/engine/lock_table";
import type { Failure } from "./failure.ts";
import type { NamedFact } from "../observe/observe.ts";
import type { EpochStamp, Receipt } from "../record/record.ts";

/** A report, or the reason why it cannot be parsed. */
export type ResultMessage = WorkflowTaskResult | { readonly problem: string };

/** Facts about nodes by their IDs; null for those that are gone. */
export interface FactsMessage {
  readonly kind: "facts";
  readonly key: string;
  /** Whether everything known so far is forgotten. */
  readonly isFirst: boolean;
  readonly pods: readonly (readonly [string, Pod | null])[];
  readonly taskResults: readonly (readonly [string, ResultMessage | null])[];
}

/** A request for a pass, with the facts that were sent before. */
export interface DecideMessage {
  readonly kind: "decide";
  readonly id: number;
  readonly key: string;
  readonly read: object | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Undefined if it has not changed since the previous message. */
  readonly config: Omit<EngineConfig, "transientPattern"> | undefined;
  readonly hasTransientPattern: boolean;
  readonly maxPodRequests: number | undefined;
  readonly mayStart: boolean | undefined;
  readonly baseline: ObservedState["baseline"];
  readonly budget: ObservedState["budget"];
  readonly images: ObservedState["images"];
  readonly claims: ReadonlyMap<string, "present" | "gone">;
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly readConfigMaps: ReadonlyMap<string, ReadConfigMap>;
  readonly agent: ObservedState["agent"];
  readonly garbage: GarbageFacts | undefined;
  readonly memos: ReadonlyMap<string, MemoLookup>;
  /** The changes about locks; undefined for a workflow that has never requested one. */
  readonly locks: LocksMessage | undefined;
  /** The keys of facts outside of the nodes that changed since the previous pass; undefined if they are unknown. */
  readonly outside: readonly string[] | undefined;
}

/** The changes about the locks of a workflow; all of them if `outside` is undefined. */
export interface LocksMessage {
  /** Changed answers by node ID; null for removed answers. */
  readonly answers: readonly (readonly [string, LockAnswer | null])[];
  readonly writesHolders: boolean | undefined;
  /** The holders of the locks that the workflow waits for. */
  readonly holders: LockFacts["holders"];
  readonly deadlocks: LockFacts["deadlocks"];
  readonly successors: LockFacts["successors"] | undefined;
}

/** A message to the thread. */
export type ToThread =
  | {
    readonly kind: "begin";
    readonly objectBuffer: SharedArrayBuffer;
    /** The maximum time of a pass, in milliseconds. */
    readonly longestMillis: number;
  }
  | FactsMessage
  | DecideMessage
  | { readonly kind: "pack"; readonly id: number; readonly key: string; readonly stamp: EpochStamp }
  | { readonly kind: "written"; readonly key: string; readonly receipt: Receipt }
  | { readonly kind: "forget"; readonly key: string };

/** A message from the thread. */
export type FromThread =
  | { readonly kind: "ready" }
  /** The thread's program could not be loaded. */
  | { readonly kind: "unstarted"; readonly message: string }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly failure: Failure }
  | { readonly kind: "lost"; readonly id: number; readonly message: string }
  | { readonly kind: "dropped"; readonly key: string }
  /** The thread waits for an object in the shared buffer. `version`: the version that it has. */
  | { readonly kind: "ask"; readonly what: NamedFact; readonly name: string; readonly version: string | undefined };

/**
 * Memory that both threads see, for one object at a time. The thread waits in the middle of a pass, which is
 * synchronous, until the requested object is there.
 */
export class SharedObjectBuffer {
  readonly buffer: SharedArrayBuffer;
  readonly #state: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(OBJECT_BUFFER_BYTES)) {
    this.buffer = buffer;
    this.#state = new Int32Array(buffer, 0, 2);
    this.#bytes = new Uint8Array(buffer, HEAD_BYTES);
  }

  /** Empties the buffer before a request. */
  clear(): void {
    Atomics.store(this.#state, 0, 0);
  }

  /** Stores an object, or the response that it does not exist or is the known version. */
  put(object: KubeObject | undefined, knownVersion: string | undefined): void {
    let length = NO_OBJECT;
    if (object && knownVersion !== undefined && object.metadata.resourceVersion === knownVersion) length = UNCHANGED;
    else if (object) {
      const bytes = new TextEncoder().encode(JSON.stringify(object));
      length = bytes.length > this.#bytes.length ? TOO_LARGE : bytes.length;
      if (length >= 0) this.#bytes.set(bytes);
    }
    this.#state[1] = length;
    Atomics.store(this.#state, 0, 1);
    Atomics.notify(this.#state, 0);
  }

  /**
   * Waits for the requested object.
   * @throws {Error} if it does not arrive, or is too large for the buffer.
   */
  take(): KubeObject | undefined | "same" {
    if (Atomics.wait(this.#state, 0, 0, MAX_WAIT_MILLIS) === "timed-out") {
      throw new Error("the object that a pass requested did not arrive in time");
    }
    const length = this.#state[1];
    if (length === TOO_LARGE) throw new Error(`an object is larger than ${this.#bytes.length} bytes`);
    if (length === UNCHANGED) return "same";
    if (length === NO_OBJECT) return undefined;
    // deno-lint-ignore tiphys/json-is-unknown -- the other thread of this program, which had read it, wrote it
    return JSON.parse(new TextDecoder().decode(this.#bytes.slice(0, length)));
  }
}

/** The size of the shared buffer, larger than any object of Kubernetes. Pages that were never written take no memory. */
const OBJECT_BUFFER_BYTES = 8 * 1024 * 1024;
const HEAD_BYTES = 8;
const MAX_WAIT_MILLIS = 20_000;
const NO_OBJECT = -1;
const UNCHANGED = -2;
const TOO_LARGE = -3;
