/** Refusals: failed requests, classified by what a user can do about them. */

/** The kind of a refusal determines what a user can do about it. */
export type RefusalKind =
  | "offline"
  | "login"
  | "forbidden"
  | "absent"
  | "conflict"
  | "invalid"
  | "busy"
  | "unknown-route"
  | "server"
  /** A part of the page itself could not be loaded. */
  | "part";

/** A failed request, with the server's message. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** Describes the attempt for users: `list workflows in data`. */
  readonly tried: string;

  constructor(tried: string, status: number, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.tried = tried;
    this.status = status === 400 && EXPIRED.test(message) ? 410 : status;
  }

  get kind(): RefusalKind {
    return kindOf(this.status);
  }
}

/**
 * Messages of Kubernetes about a version from which changes are no longer kept. The server sends them as 400, not 410.
 */
const EXPIRED = /^too old resource version|^The resourceVersion for the provided watch is too old/;

function kindOf(status: number): RefusalKind {
  switch (status) {
    case 0:
      return "offline";
    case 401:
      return "login";
    case 403:
      return "forbidden";
    case 404:
    case 410:
      return "absent";
    case 409:
      return "conflict";
    case 429:
      return "busy";
    case 501:
      return "unknown-route";
    default:
      return status >= 400 && status < 500 ? "invalid" : "server";
  }
}

/** A part of the page that could not be loaded: the server is offline, or has another release at the same address. */
export class MissingPagePart extends Refusal {
  constructor(cause: unknown) {
    super("load a part of this page", 0, "the server is not reachable or has another release: reload the page", {
      cause,
    });
  }

  override get kind(): RefusalKind {
    return "part";
  }
}

/** Loads a part of the page on demand. @throws {MissingPagePart} */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new MissingPagePart(error);
  }
}

/** Converts any error to a refusal; other errors result from an unexpected response. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new Refusal("read the server's response", 502, `unexpected response: ${words}`, {
    cause: error,
  });
}
