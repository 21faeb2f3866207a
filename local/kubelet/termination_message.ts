/** The message that a container leaves behind. */

const LONGEST = 4096;
const LONGEST_FROM_LOG = 2048;
const LOG_LINES = 80;

/** What to read, as the container's specification says. */
export interface TerminationMessageRequest {
  readonly file: string;
  readonly policy: string | undefined;
  readonly exitCode: number;
  /** The end of the log, when the policy falls back to it. */
  readonly logTail: () => Promise<string>;
}

/** Reads the message: the file's content, or with FallbackToLogsOnError the last lines of a failed container. */
export async function terminationMessage(request: TerminationMessageRequest): Promise<string> {
  const bytes = await Deno.readFile(request.file).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(bytes.subarray(0, LONGEST));
  if (text !== "" || request.policy !== "FallbackToLogsOnError" || request.exitCode === 0) return text;
  const lines = (await request.logTail()).split("\n").slice(-LOG_LINES - 1).join("\n");
  return lines.slice(-LONGEST_FROM_LOG);
}
