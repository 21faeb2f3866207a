/** The signals that a container receives: from the kernel, and by file. */
import { describeError, ExecutorError } from "../failure.ts";
import { FORWARDED, KEEPS_LISTENERS, receiveSignals, SIGNAL_NUMBERS } from "./signals.ts";
import type { World } from "../world.ts";

/** Signals that request termination. Until a command runs that could handle them, they cancel the wait for it. */
const ENDING: ReadonlySet<Deno.Signal> = new Set(["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGKILL"]);

/** The signals for a container, received for as long as its executor runs. */
export interface Inbox extends AsyncDisposable {
  /**
   * Aborted when a termination signal arrives while no receiver is set. The reason is an {@link ExecutorError} with
   * exit code 128 + n.
   */
  readonly ended: AbortSignal;
  /** Whether a termination signal has arrived, with or without a receiver. */
  readonly isTerminating: boolean;
  /**
   * Sets the receiver of all further signals, or removes it. A termination signal that arrived without a receiver is
   * delivered to the next one.
   */
  deliverTo(receiver: ((signal: Deno.Signal) => void) | undefined): void;
}

/**
 * Opens the inbox of a container, whose folder must exist. Open it before waiting for anything: the kernel drops
 * signals to the first process of a container that has no handler for them.
 */
export function openInbox(world: World, container: string): Inbox {
  const closing = new AbortController();
  const ending = new AbortController();
  let receiver: ((signal: Deno.Signal) => void) | undefined;
  let isTerminating = false;
  let undelivered: Deno.Signal | undefined;
  const take = (signal: Deno.Signal) => {
    const isTermination = ENDING.has(signal);
    isTerminating ||= isTermination;
    if (receiver) return receiver(signal);
    if (!isTermination) return;
    undelivered = signal;
    ending.abort(terminationError(signal));
  };
  const listeners = FORWARDED.map((signal) => [signal, () => take(signal)] as const);
  for (const [signal, listener] of listeners) Deno.addSignalListener(signal, listener);
  const listening = receiveSignals(world, container, take, closing.signal)
    .catch((error) => world.log(`no longer receiving signals by file: ${describeError(error)}`));
  return {
    ended: ending.signal,
    get isTerminating() {
      return isTerminating;
    },
    deliverTo(next) {
      receiver = next;
      if (!next || !undelivered) return;
      next(undelivered);
      undelivered = undefined;
    },
    async [Symbol.asyncDispose]() {
      if (!KEEPS_LISTENERS) { for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener); }
      closing.abort();
      await listening;
    },
  };
}

function terminationError(signal: Deno.Signal): ExecutorError {
  const code = 128 + SIGNAL_NUMBERS[signal]!;
  return new ExecutorError(`received ${signal} before the command was started`, { stage: "wait", code });
}
