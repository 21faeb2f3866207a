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
  | "server";

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
