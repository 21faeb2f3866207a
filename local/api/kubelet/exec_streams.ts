/** The streams of a command whose other end is a socket, in the channel protocol of the API server. */

import { pause, systemClock } from "@tiphys/base/clock";
import { CHANNEL, type WebSocketLike } from "@tiphys/kube";
import { EXEC_INPUT_AHEAD, MAX_EXEC_INPUT, MAX_EXEC_UNSENT } from "../limits.ts";
import { sendPieces } from "./exec_session.ts";
import type { ExecStreams } from "./kubelet_hooks.ts";

/** The pause before another look whether a client has taken what was sent, in milliseconds. */
const LOOK_AGAIN_MS = 5;

/** The client that a command has, as far as its socket does not tell. */
interface ExecClient {
  /** Whether it has an input for the command. */
  readonly hasInput: boolean;
  /** Takes nothing more from it until the answer is called; undefined where that cannot be. */
  readonly holdBack?: (() => (() => void) | undefined) | undefined;
}

/** The streams of a command; with an input where the client has one. What it says before that is not lost. */
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
    // What was on its way still comes. A client that cannot be held back loses its command at some point.
    if (waits <= MAX_EXEC_INPUT) return;
    endInput(new Error(`The command was ended: more than ${MAX_EXEC_INPUT} bytes waited until it read them`));
  };
  const made = hasInput
    ? new ReadableStream<Uint8Array>({
      start: (controller) => void (input = controller),
      pull: letGo,
      cancel() {
        letGo();
        input = undefined;
      },
    }, new ByteLengthQueuingStrategy({ highWaterMark: 0 }) as QueuingStrategy<Uint8Array>)
    : undefined;
  return {
    input: made,
    async output(stream, chunk) {
      sendPieces(socket, CHANNEL[stream], chunk);
      while (isOpen && (socket.bufferedAmount ?? 0) > MAX_EXEC_UNSENT) await pause(systemClock, LOOK_AGAIN_MS);
      if (!isOpen) throw new Error("The client has gone");
    },
  };
}
