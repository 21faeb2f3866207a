/** The messages between the tabs of a browser and the shared worker that holds their stream. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";

/**
 * Kinds of sharing: changes of a list, each with a later version; states of one run, each a patch of the
 * previous one; or not at all.
 */
export type Sharing = "list" | "run" | "alone";

/** Messages from a tab. `id` is a number that the tab chose. */
export type ToHub =
  | {
    readonly kind: "follow";
    readonly id: number;
    /** The address of an API stream, without the start version. */
    readonly path: string;
    /** The version that the tab already has. */
    readonly from: string | undefined;
    readonly sharing: Sharing;
    /** The whole header; undefined if a cookie authenticates the user. It is never stored. */
    readonly authorization: string | undefined;
    /** Whether all tokens of this server belong to the same user, so that any of them can be used. */
    readonly isAnyToken: boolean;
  }
  /** Requests a turn to hold its own connection. */
  | { readonly kind: "hold"; readonly id: number }
  | { readonly kind: "leave"; readonly id: number }
  /** The tab is alive. */
  | { readonly kind: "here" }
  /** The tab is closed, and its subscriptions end. */
  | { readonly kind: "bye" }
  /** The user changed or logged out. */
  | { readonly kind: "renewed" };

/** Messages to a tab. */
export type FromHub =
  | { readonly kind: "taken"; readonly id: number }
  | { readonly kind: "open"; readonly id: number }
  /** Messages of the stream, as JSON. */
  | { readonly kind: "told"; readonly id: number; readonly texts: readonly string[] }
  /** The stream ended, or was refused with a status; 0 if the connection broke. */
  | { readonly kind: "over"; readonly id: number; readonly status: number | undefined; readonly message: string }
  /** The server has no shared stream: each tab connects itself. */
  | { readonly kind: "absent"; readonly id: number }
  /** Whether the connection may be held. */
  | { readonly kind: "held"; readonly id: number; readonly isHeld: boolean }
  | { readonly kind: "life" }
  /** The tab was silent for too long: its subscriptions ended. */
  | { readonly kind: "forgotten" };

/** The time between two heartbeats of a tab. */
export const HEARTBEAT_MILLIS = 10_000;

/** A subscription of the shared stream. */
export interface StreamSubscription {
  readonly tried: string;
  /** The address of an API stream. */
  readonly path: string;
  readonly from: string | undefined;
  readonly sharing: Sharing;
  readonly signal: AbortSignal;
}

/** Thrown if there is no shared stream: the tab connects itself. */
export class NoSharedStreamError extends Error {
  override readonly name = "NoSharedStreamError";
}

/** Receives events of a stream while it is read. */
export interface StreamWatcher {
  /** The response started: changes from now on are received. */
  readonly onOpen?: () => void;
  readonly onLife?: () => void;
}

/** Returns the refusal that a stream contains instead of a message: `{"http_code": 403, "message": "…"}`. */
export function streamErrorOf(error: unknown): { readonly status: number; readonly message: string } {
  const fields = fieldsOf(error);
  const { http_code: status } = fields;
  return { status: typeof status === "number" ? status : 500, message: textIn(fields, "message") ?? "" };
}

/** A turn to hold a connection for long, until it is disposed. */
export interface Turn extends Disposable {
  /** Whether the connection may be held: a browser has six per server for all its tabs. */
  readonly isMine: Promise<boolean>;
}

/** The stream that the tabs of a browser share, as one tab uses it. */
export interface StreamShare {
  /**
   * Follows a stream until the signal is aborted; yields messages as JSON, batched as they arrive.
   * @throws {NoSharedStreamError} before the first message, {Refusal}.
   */
  follow(followed: StreamSubscription, watcher?: StreamWatcher): AsyncIterable<readonly string[]>;
  /** Requests a turn to hold a connection for long. */
  requestTurn(): Turn;
}
