/** The errors of texts that a thread could not process. */
import { TextWorkerError } from "@tiphys/language/text_worker";
import { StatusError, tooManyRequests } from "../status_error.ts";

/** @throws {StatusError} for a text that the thread could not parse; other errors unchanged. */
export function throwParseError(error: unknown): never {
  if (!(error instanceof TextWorkerError) || error.kind === "failed") throw error;
  const message = `the body cannot be read: ${error.message}`;
  if (error.kind === "busy") throw tooManyRequests(message);
  const [status, reason] = NOT_READ[error.kind];
  throw new StatusError(status, reason, message);
}

/** The status of a text that the thread could not parse. */
const NOT_READ = {
  late: [504, "Timeout"],
  memory: [413, "RequestEntityTooLarge"],
} as const;
