/** Downloads that resume after an interruption. */
import { MIN_BYTES_PER_SECOND, SLOW_PERIOD_MS } from "./limits.ts";
import { ImageError } from "./image_error.ts";

/** Opens content at a byte offset. */
export type OpenAt = (from: number) => Promise<ReadableStream<Uint8Array>>;

/** Maximum number of consecutive requests without any new byte. */
const MAX_TRIES = 3;

/** Milliseconds without data after which a connection counts as broken. */
const SILENCE_MS = 60_000;

/** The patience with a server, in milliseconds. */
export interface DownloadTimeouts {
  /** Time without data after which a connection counts as broken. */
  readonly silenceMs?: number;
  /** Time before the minimum speed applies, to all connections together. */
  readonly slowForMs?: number;
}

/**
 * Returns content of exactly `size` bytes.
 * @throws {ImageError} when it is incomplete, too slow or larger.
 */
export function resumed(openAt: OpenAt, size: number, patience: DownloadTimeouts = {}): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces(openAt, size, patience));
}

async function* pieces(openAt: OpenAt, size: number, patience: DownloadTimeouts): AsyncGenerator<Uint8Array> {
  const { silenceMs = SILENCE_MS, slowForMs = SLOW_PERIOD_MS } = patience;
  let received = 0;
  let tries = 0;
  let cause: unknown;
  const begun = performance.now();
  const checkSpeed = () => {
    if (performance.now() - begun <= slowForMs + received / MIN_BYTES_PER_SECOND * 1000) return;
    throw new ImageError("ErrImagePull", `it arrives at less than ${MIN_BYTES_PER_SECOND} bytes a second`);
  };
  while (received < size) {
    checkSpeed();
    if (++tries > MAX_TRIES) {
      const why = cause instanceof Error ? `: ${cause.message}` : "";
      throw new ImageError("ErrImagePull", `it ended after ${received} of ${size} bytes${why}`, { cause });
    }
    const content = await openAt(received);
    try {
      for await (const chunk of whileNotSilent(content, Math.min(silenceMs, slowForMs))) {
        received += chunk.length;
        checkSpeed();
        if (received > size) throw new ImageError("ErrImagePull", `it is larger than its ${size} bytes`);
        tries = 0;
        yield chunk;
      }
    } catch (error) {
      if (error instanceof ImageError) throw error;
      cause = error;
    }
  }
}

async function* whileNotSilent(content: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<Uint8Array> {
  const reader = content.getReader();
  try {
    for (;;) {
      const { promise: silence, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error(`no data for ${silenceMs / 1000} seconds`)), silenceMs);
      const { value, done } = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
