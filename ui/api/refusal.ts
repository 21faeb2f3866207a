/** Refusals: what becomes of a request that a server did not carry out, sorted by what a person can do about it. */

/** The kind of a refusal is decided by what a person can do about it. */
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
  /** A part of the page itself did not come. */
  | "part";

/** The refusal of a request, with the server's words. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** The thing that was tried, for a person: `list workflows in data`. */
  readonly tried: string;

  constructor(tried: string, status: number, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.tried = tried;
    this.status = status;
  }

  get kind(): RefusalKind {
    return kindOf(this.status);
  }
}

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

/** A part of the page that could not be loaded: the server is away, or has another release behind the same address. */
export class MissingPart extends Refusal {
  constructor(cause: unknown) {
    super("load a part of this page", 0, "the server is away, or has another release by now: reload the page", {
      cause,
    });
  }

  override get kind(): RefusalKind {
    return "part";
  }
}

/** Loads a part of the page when it is first wanted. @throws {MissingPart} */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new MissingPart(error);
  }
}

/** An error as a refusal: one that is none came of an answer that nobody expected. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new Refusal("show the answer of the server", 502, `it is not what this page expects: ${words}`, {
    cause: error,
  });
}
