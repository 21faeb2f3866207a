/** An exec over a socket, in the channel protocol whose client is lib/kube/exec.ts. */

import { statusOf } from "../status_error.ts";
import type { WebSocketLike } from "@tiphys/kube/connections";
import type { KubeStatus } from "@tiphys/kube/errors";
import { CHANNEL, type ExecResult } from "@tiphys/kube/exec";

/**
 * Runs the command, sends its output and status over the socket, and closes it. Does nothing if the socket is already
 * closed.
 */
export async function serveExec(socket: WebSocketLike, run: () => Promise<ExecResult>): Promise<void> {
  const { stdout, stderr, status } = await runExec(run);
  try {
    sendPieces(socket, CHANNEL.stdout, new TextEncoder().encode(stdout));
    sendPieces(socket, CHANNEL.stderr, new TextEncoder().encode(stderr));
    socket.send(message(CHANNEL.error, JSON.stringify(status)));
    socket.close(1000);
  } catch {
    // The client has disconnected, so the socket is closed.
  }
}

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: KubeStatus;
}

async function runExec(run: () => Promise<ExecResult>): Promise<Outcome> {
  try {
    const { exitCode, stdout, stderr } = await run();
    return { stdout, stderr, status: exitStatus(exitCode) };
  } catch (error) {
    return { stdout: "", stderr: "", status: statusOf(error) };
  }
}

function exitStatus(exitCode: number): KubeStatus {
  const base = { kind: "Status", apiVersion: "v1", metadata: {} } as const;
  if (exitCode === 0) return { ...base, status: "Success" };
  return {
    ...base,
    status: "Failure",
    reason: "NonZeroExitCode",
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
  };
}

/** Sends output in pieces, so that no message is too large for a client. */
export function sendPieces(socket: WebSocketLike, channel: number, bytes: Uint8Array): void {
  const piece = 32 * 1024;
  for (let start = 0; start < bytes.length; start += piece) {
    socket.send(message(channel, bytes.subarray(start, start + piece)));
  }
}

function message(channel: number, content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const framed = new Uint8Array(bytes.length + 1);
  framed[0] = channel;
  framed.set(bytes, 1);
  return framed;
}
