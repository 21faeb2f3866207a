/** The signals that reach a container: those of the kernel, and those that come as a file. */
import { describe, ExecutorError } from "../failure.ts";
import { FORWARDED, receiveSignals, SIGNAL_NUMBERS } from "./signals.ts";
import type { World } from "../world.ts";

/** Signals that ask for an end. Until a command runs that could answer them, they end the wait for it. */
const ENDING: ReadonlySet<Deno.Signal> = new Set(["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGKILL"]);

/** The messages to a container from outside, for as long as its executor lives. */
export interface Inbox extends AsyncDisposable {
  /** Aborted, with an {@link ExecutorError} of code 128 + n, by a signal that asks for an end while nobody receives. */
  readonly ended: AbortSignal;
  /** Whether a signal that asks for an end has come, whoever received it. */
  readonly isAskedToEnd: boolean;
  /** Hands every signal from now on to `receiver`, and the last that asked for an end unheard; to nobody when there is none. */
  deliverTo(receiver: ((signal: Deno.Signal) => void) | undefined): void;
}

/**
 * Opens the inbox of a container, whose folder must exist. It must be open before anything is waited for: the kernel
 * drops signals to the first process of a container that has no listener.
 */
export function openInbox(world: World, container: string): Inbox {
  const closing = new AbortController();
  const ending = new AbortController();
  let receiver: ((signal: Deno.Signal) => void) | undefined;
  let isAskedToEnd = false;
  let unheard: Deno.Signal | undefined;
  const take = (signal: Deno.Signal) => {
    const asksForEnd = ENDING.has(signal);
    isAskedToEnd ||= asksForEnd;
    if (receiver) return receiver(signal);
    if (!asksForEnd) return;
    unheard = signal;
    ending.abort(endedBy(signal));
  };
  const listeners = FORWARDED.map((signal) => [signal, () => take(signal)] as const);
  for (const [signal, listener] of listeners) Deno.addSignalListener(signal, listener);
  const listening = receiveSignals(world, container, take, closing.signal)
    .catch((error) => world.log(`signals by file are not heard any more: ${describe(error)}`));
  return {
    ended: ending.signal,
    get isAskedToEnd() {
      return isAskedToEnd;
    },
    deliverTo(next) {
      receiver = next;
      if (!next || !unheard) return;
      next(unheard);
      unheard = undefined;
    },
    async [Symbol.asyncDispose]() {
      for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
      closing.abort();
      await listening;
    },
  };
}

function endedBy(signal: Deno.Signal): ExecutorError {
  const code = 128 + SIGNAL_NUMBERS[signal]!;
  return new ExecutorError(`received ${signal} before the command was started`, { stage: "wait", code });
}
