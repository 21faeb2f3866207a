/** The termination message of a container. */
import { Handle, openFile } from "@tiphys/base/confined";

const MAX_MESSAGE_BYTES = 4096;
const MAX_LOG_BYTES = 2048;
const LOG_LINES = 80;

/** The termination message to read, according to the container's specification and exit code. */
export interface TerminationMessageRequest {
  readonly file: string;
  readonly policy: string | undefined;
  readonly exitCode: number;
  /** The end of the log, for the policy FallbackToLogsOnError. */
  readonly logTail: () => ReadableStream<Uint8Array>;
}

/** Reads the start of the file, or with FallbackToLogsOnError the last lines of a failed container. */
export async function terminationMessage(request: TerminationMessageRequest): Promise<string> {
  const text = readStart(request.file);
  if (text !== "" || request.policy !== "FallbackToLogsOnError" || request.exitCode === 0) return text;
  const log = new TextDecoder().decode(await readTail(request.logTail()));
  return log.split("\n").slice(-LOG_LINES - 1).join("\n").slice(-MAX_LOG_BYTES);
}

/** Reads a limited part: the container may have made the file arbitrarily large, or replaced it. */
function readStart(path: string): string {
  try {
    using held = Handle.open(path);
    using file = openFile(held, path);
    const bytes = new Uint8Array(MAX_MESSAGE_BYTES);
    let length = 0;
    while (length < MAX_MESSAGE_BYTES) {
      const read = file.readSync(bytes.subarray(length));
      if (read === null) break;
      length += read;
    }
    return new TextDecoder().decode(bytes.subarray(0, length));
  } catch {
    return "";
  }
}

/** The last bytes of a stream, enough for the longest message in any encoding. Earlier bytes are discarded. */
async function readTail(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const max = MAX_LOG_BYTES * 4;
  let end = new Uint8Array(0);
  for await (const part of stream) {
    const whole = new Uint8Array(Math.min(max, end.length) + Math.min(max, part.length));
    whole.set(end);
    whole.set(part.subarray(-max), end.length);
    end = whole.subarray(-max);
  }
  return end;
}
