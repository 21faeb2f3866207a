/** A server asked as its clients ask it, with its answers read, for tests of what it says. */
import { type BenchOptions, type ServerBench, serverBench } from "./server_bench.ts";

/** An answer as a test reads it. */
export interface ReadAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- each test looks into the answer
  readonly json: any;
}

/** Asks as {@link ServerBench.ask} does, and reads the answer to its end. */
export async function askOf(
  bench: Pick<ServerBench, "ask">,
  ...asked: Parameters<ServerBench["ask"]>
): Promise<ReadAnswer> {
  const response = await bench.ask(...asked);
  const text = await response.text();
  const json = text.startsWith("{") && !text.includes("\n") ? JSON.parse(text) : undefined;
  return { status: response.status, text, headers: response.headers, json };
}

/** A server whose callers act with its own rights, and the answer to a method, a path and a body. */
export async function openServer(options: BenchOptions = {}) {
  const bench = await serverBench(["server"], options);
  return {
    bench,
    ask: (method: string, path: string, body?: unknown) => askOf(bench, method, path, { body }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
