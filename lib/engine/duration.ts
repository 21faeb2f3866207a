import { humanizeDuration, MILLISECOND, parseArgoDuration } from "@tiphys/base/go";
import type { Template } from "@tiphys/model/api";
import { UserError } from "@tiphys/base/user_error";

/**
 * Returns the milliseconds of a timeout, backoff or delay in Argo's format: an integer number of seconds, or a Go
 * duration.
 * @throws {DurationError} if it is neither.
 */
export function argoDurationMillis(text: string): number {
  return Number(parseArgoDuration(text)) / Number(MILLISECOND);
}

/**
 * Returns the milliseconds of a template's `timeout` or `pendingTimeout`; undefined if it is not set.
 * @throws {UserError} if the value is not a duration; the message names the field.
 */
export function timeoutMillis(template: Template, field: "timeout" | "pendingTimeout"): number | undefined {
  const text = template[field];
  if (!text) return undefined;
  return readField(template, field, () => {
    try {
      return argoDurationMillis(text);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(`invalid timeout format ${error.message}`);
    }
  });
}

/**
 * Reads the value of a field of a template or of the workflow's spec.
 * @throws {UserError} if `read` does, with the path of the field prepended to the message.
 */
export function readField<Value>(holder: Template | "spec", field: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const place = holder === "spec" ? holder : holder.name ? `templates.${holder.name}` : "inline";
    throw new UserError(`${place}.${field}: ${error.message}`);
  }
}

/** Formats a duration as in Argo's messages. */
export function humanDuration(millis: number): string {
  return humanizeDuration(BigInt(Math.round(millis)) * MILLISECOND);
}
