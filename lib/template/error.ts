/** The one error of substitution. Its reason is what decides whether a node waits or fails, as in the peer. */
import { UserError } from "../user_error.ts";
import { type Place, pointOut } from "./place.ts";

/** Texts that mean "not there yet"; anything else is final. */
const MISSING = ["failed to resolve {{", " is missing", "variable not in env"];

/** The options of an error: its cause, the place in the text, and the name that has no value. */
interface ErrorOptions {
  readonly cause?: unknown;
  readonly place?: Place;
  readonly missing?: string;
}

/** A tag, expression or argument that could not be resolved: the user's mistake, or a value that is not there yet. */
export class TemplateError extends UserError {
  override readonly name: string = "TemplateError";
  /** The text and the place in it, where they are known; the message then shows them. */
  readonly place: Place | undefined;

  /** The name that has no value, where that is what is wrong. */
  readonly missing: string | undefined;

  /** @param reason in the words that Argo's users and tools match on; the message begins with it. */
  constructor(readonly reason: string, options: ErrorOptions = {}) {
    super(options.place === undefined ? reason : pointOut(reason, options.place), { cause: options.cause });
    this.place = options.place;
    this.missing = options.missing;
  }

  /** True when the same question may have an answer later: steps and tasks wait instead of failing. */
  get missingVariable(): boolean {
    return isMissingVariable(this.reason);
  }
}

/** Says whether an error text means that a variable is missing (wait) rather than that something is wrong (fail). */
export function isMissingVariable(message: string): boolean {
  return MISSING.some((text) => message.includes(text));
}
