/** Runs commands in containers over the v5 channel protocol of the API server. */

import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { KubeError, type KubeStatus, readStatus } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** The exit code and output of a command. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Channel numbers: the first byte of each binary message. */
export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The supported subprotocols, best first. */
export const EXEC_PROTOCOLS: readonly string[] = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

/**
 * Runs the command that `path` describes.
 * @throws {KubeError} when the socket is rejected or breaks before the command's status arrives, and the signal's
 * reason when it was aborted.
 */
export async function execOverWebSocket(transport: Transport, path: string, signal?: AbortSignal): Promise<ExecResult> {
  signal?.throwIfAborted();
  const socket = await transport.webSocket(path, [...EXEC_PROTOCOLS]);
  socket.binaryType = "arraybuffer";
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  let status: KubeStatus | undefined;
  const broken = (reason: string) =>
    new KubeError(`Could not exec in the container: ${reason}`, { status: 0, reason: "NetworkError" });
  const abort = () => socket.close();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.onmessage = ({ data }) => {
        const bytes = new Uint8Array(data as ArrayBuffer);
        const content = bytes.subarray(1);
        if (bytes[0] === CHANNEL.stdout) stdout.push(content);
        else if (bytes[0] === CHANNEL.stderr) stderr.push(content);
        else if (bytes[0] === CHANNEL.error && content.length > 0) {
          status = readStatus(fieldsOfJson(new TextDecoder().decode(content)));
          socket.close();
          resolve();
        }
      };
      socket.onerror = (event) => {
        const why = event instanceof ErrorEvent && event.message !== "" ? event.message : "the socket failed";
        reject(broken(why));
      };
      socket.onclose = () => {
        if (signal?.aborted) reject(signal.reason);
        else reject(broken("the socket was closed before the command's status came"));
      };
    });
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  return { exitCode: exitCodeOf(status ?? {}), stdout: textOf(stdout), stderr: textOf(stderr) };
}

function exitCodeOf(status: KubeStatus): number {
  if (status.status === "Success") return 0;
  const cause = status.details?.causes?.find((c) => c.reason === "ExitCode");
  if (cause && /^\d+$/.test(cause.message ?? "")) return Number(cause.message);
  throw KubeError.fromStatus(status);
}

function textOf(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
