/** The talk between the tabs of a browser and the thread that holds their one stream. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";

/**
 * The way in which those who follow the same are told together: changes of a list, each later than a version; states of one
 * run, each a patch of the one before; or everybody for themselves.
 */
export type Sharing = "list" | "run" | "alone";

/** Words of a tab. `id` is one of its own numbers. */
export type ToHub =
  | {
    readonly kind: "follow";
    readonly id: number;
    /** The address of a stream of the API, without the version from which it is told. */
    readonly path: string;
    /** The version that the tab knows already. */
    readonly from: string | undefined;
    readonly sharing: Sharing;
    /** The whole header; undefined where a cookie speaks for the person. It is kept nowhere. */
    readonly authorization: string | undefined;
    /** Whoever has a token of this server is the same person: one is as good as another. */
    readonly isAnyToken: boolean;
  }
  /** Wants to hold a connection of its own for long. */
  | { readonly kind: "hold"; readonly id: number }
  | { readonly kind: "leave"; readonly id: number }
  /** Is there still. */
  | { readonly kind: "here" }
  /** Goes, with all that it follows. */
  | { readonly kind: "bye" }
  /** The person is another one by now, or nobody. */
  | { readonly kind: "renewed" };

/** Words to a tab. */
export type FromHub =
  | { readonly kind: "taken"; readonly id: number }
  | { readonly kind: "open"; readonly id: number }
  /** Messages of the stream, as JSON. */
  | { readonly kind: "told"; readonly id: number; readonly texts: readonly string[] }
  /** It has ended, or was refused with a status; 0 where the connection broke off. */
  | { readonly kind: "over"; readonly id: number; readonly status: number | undefined; readonly message: string }
  /** The server has no stream for many: each tab asks for itself. */
  | { readonly kind: "absent"; readonly id: number }
  /** Whether the connection may be held. */
  | { readonly kind: "held"; readonly id: number; readonly isHeld: boolean }
  | { readonly kind: "life" }
  /** Nothing was heard of the tab for so long that it was taken for gone: what it followed has ended. */
  | { readonly kind: "forgotten" };

/** The time between two signs of life of a tab. */
export const HERE_MILLIS = 10_000;

/** Something that is followed by the shared stream. */
export interface Followed {
  readonly tried: string;
  /** The address of a stream of the API. */
  readonly path: string;
  readonly from: string | undefined;
  readonly sharing: Sharing;
  readonly signal: AbortSignal;
}

/** Thrown where there is no shared stream: the tab asks for itself. */
export class NotShared extends Error {
  override readonly name = "NotShared";
}

/** Told about a stream while it is read. */
export interface StreamWatcher {
  /** The server began to answer: what changes from now on is told. */
  readonly onOpen?: () => void;
  readonly onLife?: () => void;
}

/** The refusal that a stream tells in place of a message: `{"http_code": 403, "message": "…"}`. */
export function streamErrorOf(error: unknown): { readonly status: number; readonly message: string } {
  const fields = fieldsOf(error);
  const { http_code: status } = fields;
  return { status: typeof status === "number" ? status : 500, message: textIn(fields, "message") ?? "" };
}

/** A turn to hold a connection for long, until it is disposed. */
export interface Turn extends Disposable {
  /** Whether the connection may be held: a browser has six to a server, for all its tabs. */
  readonly isMine: Promise<boolean>;
}

/** The one stream of a browser, as a tab uses it. */
export interface StreamShare {
  /**
   * Follows something until the signal is aborted: messages as JSON, those that came together as one batch.
   * @throws {NotShared} before the first one, {Refusal}.
   */
  follow(followed: Followed, watcher?: StreamWatcher): AsyncIterable<readonly string[]>;
  /** Asks for a turn to hold a connection for long. */
  turn(): Turn;
}
