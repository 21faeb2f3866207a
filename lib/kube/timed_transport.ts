/** A transport with a timeout for responses. */
import { KubeError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/**
 * Returns the transport with a timeout until a response begins. The body may take longer, as in watches and logs.
 * Without a timeout, returns the same transport.
 */
export function timedTransport(transport: Transport, millis: number | undefined): Transport {
  if (millis === undefined) return transport;
  return {
    fetch: async (path, init) =>
      await inTime(millis, init?.signal, (signal) => transport.fetch(path, { ...init, signal })),
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  };
}

/**
 * Runs a request with a signal that aborts it after the timeout.
 * @throws {KubeError} with status 0 after the timeout.
 */
export async function inTime<T>(
  millis: number,
  stop: AbortSignal | null | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), millis);
  try {
    return await ask(stop ? AbortSignal.any([stop, late.signal]) : late.signal);
  } catch (error) {
    if (!late.signal.aborted || stop?.aborted) throw error;
    const message = `no answer in ${millis / 1000} s, the time of --request-timeout`;
    throw new KubeError(message, { status: 0, reason: "Timeout", cause: error });
  } finally {
    clearTimeout(timer);
  }
}
