/** The streams of a command over a socket, in the channel protocol of the API server. */

import { pause, systemClock } from "@tiphys/base/clock";
import type { WebSocketLike } from "@tiphys/kube/connections";
import { CHANNEL } from "@tiphys/kube/exec";
import { EXEC_INPUT_AHEAD, MAX_EXEC_INPUT, MAX_EXEC_UNSENT } from "../limits.ts";
import { sendPieces } from "./exec_session.ts";
import type { ExecStreams } from "./kubelet_hooks.ts";

/** The interval between checks whether a client has received the sent output, in milliseconds. */
const LOOK_AGAIN_MS = 5;

/** Memory that a queued message needs besides its bytes: a client may send its input byte by byte. */
const MESSAGE_OVERHEAD = 256;

/** Properties of a command's client that its socket does not have. */
interface ExecClient {
  /** Whether it sends input to the command. */
  readonly hasInput: boolean;
  /** Stops reading from it until the result is called; undefined if that is not possible. */
  readonly holdBack?: (() => (() => void) | undefined) | undefined;
}

/** The streams of a command, with input if the client sends it. Input that arrives before it is read is not lost. */
export function streamsOver(socket: WebSocketLike, { hasInput, holdBack }: ExecClient): ExecStreams {
  let goOn: (() => void) | undefined;
  socket.binaryType = "arraybuffer";
  let isOpen = true;
  let input: ReadableStreamDefaultController<Uint8Array> | undefined;
  const letGo = () => {
    goOn?.();
    goOn = undefined;
  };
  const endInput = (error?: Error) => {
    letGo();
    if (error) input?.error(error);
    else input?.close();
    input = undefined;
  };
  socket.onclose = () => {
    isOpen = false;
    endInput();
  };
  socket.onmessage = ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return;
    const bytes = new Uint8Array(data);
    if (bytes[0] === CHANNEL.close && bytes[1] === CHANNEL.stdin) return endInput();
    if (bytes[0] !== CHANNEL.stdin || bytes.length === 1) return;
    input?.enqueue(bytes.subarray(1));
    const waits = -(input?.desiredSize ?? 0);
    if (waits > EXEC_INPUT_AHEAD) goOn ??= holdBack?.();
    // Data in flight still arrives. If a client cannot be held back, its command is eventually ended.
    if (waits <= MAX_EXEC_INPUT) return;
    endInput(new Error(`The command was ended: more than ${MAX_EXEC_INPUT} bytes of its input were unread`));
  };
  const made = hasInput
    ? new ReadableStream<Uint8Array>({
      start: (controller) => void (input = controller),
      pull: letGo,
      cancel() {
        letGo();
        input = undefined;
      },
    }, { highWaterMark: 0, size: (chunk) => chunk.length + MESSAGE_OVERHEAD })
    : undefined;
  return {
    input: made,
    async output(stream, chunk) {
      sendPieces(socket, CHANNEL[stream], chunk);
      while (isOpen && (socket.bufferedAmount ?? 0) > MAX_EXEC_UNSENT) await pause(systemClock, LOOK_AGAIN_MS);
      if (!isOpen) throw new Error("The client has disconnected");
    },
  };
}
