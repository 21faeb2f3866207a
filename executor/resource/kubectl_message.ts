/** Errors of the API server in the form in which kubectl prints them. */
import { KubeError } from "@tiphys/kube/errors";
import { describeError, ExecutorError } from "../failure.ts";

/** Formats an error as kubectl does. `doing` is the failed operation, such as `creating "/tmp/manifest.yaml"`. */
export function kubectlMessage(error: unknown, doing?: string): string {
  if (error instanceof ExecutorError) return error.message;
  if (!(error instanceof KubeError) || error.status === 0) return `error: ${describeError(error)}`;
  if (error.reason === "Invalid") return invalidMessage(error);
  const message = doing ? `error when ${doing}: ${error.message}` : error.message;
  if (error.reason === "Unauthorized") return `error: You must be logged in to the server (${message})`;
  return error.reason ? `Error from server (${error.reason}): ${message}` : `Error from server: ${message}`;
}

function invalidMessage({ details, message }: KubeError): string {
  const { kind = "", name = "", causes = [] } = details ?? {};
  const isNamed = kind !== "" || name !== "";
  if (!isNamed && causes.length === 0) return `The request is invalid: ${message}`;
  const subject = isNamed ? `The ${kind} ${JSON.stringify(name)} is invalid` : "The request is invalid";
  const lines = [...new Set(causes.map(({ field = "", message = "" }) => `${field}: ${message}`))];
  if (lines.length <= 1) return [subject, ...lines].join(": ");
  return [`${subject}: `, ...lines.map((line) => `* ${line}`)].join("\n");
}
