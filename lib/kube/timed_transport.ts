/** A transport whose requests must be answered in time. */
import { KubeError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/**
 * The transport with a limit to the time until an answer begins: what then comes may take as long as it takes, as watches and
 * logs do. Without a limit it is the same transport.
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
 * Asks with a signal that ends the request when its time is over.
 * @throws {KubeError} with the status 0 then.
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
