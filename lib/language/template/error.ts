/** The error of substitution. Its reason decides whether a node waits or fails, as in Argo Workflows. */
import { UserError } from "@tiphys/base/user_error";
import { messageWithCaret, type SourceLocation } from "./place.ts";

/** Texts in error messages that mean that a value may become available later. All other errors are final. */
const MISSING_VALUE_TEXTS = ["failed to resolve {{", " is missing", "variable not in env"];

/** The options of an error: its cause, the place in the text, and the name that has no value. */
interface ErrorOptions {
  readonly cause?: unknown;
  readonly place?: SourceLocation;
  readonly missingName?: string;
}

/** A tag, expression or argument that could not be resolved: the user's mistake, or a value that is not there yet. */
export class TemplateError extends UserError {
  override readonly name: string = "TemplateError";
  /** The text and the position in it, if known. The message then shows them. */
  readonly place: SourceLocation | undefined;

  /** The name that has no value, if that is the reason. */
  readonly missingName: string | undefined;

  /** @param reason in Argo's words, because users and tools match on it; the message begins with it. */
  constructor(readonly reason: string, options: ErrorOptions = {}) {
    super(options.place === undefined ? reason : messageWithCaret(reason, options.place), { cause: options.cause });
    this.place = options.place;
    this.missingName = options.missingName;
  }

  /** Whether a later pass may succeed. Steps and tasks then wait instead of failing. */
  get isVariableMissing(): boolean {
    return isMissingVariable(this.reason);
  }
}

/**
 * Reports whether an error message means that a variable has no value yet, so that the node waits instead of failing.
 */
export function isMissingVariable(message: string): boolean {
  return MISSING_VALUE_TEXTS.some((text) => message.includes(text));
}
