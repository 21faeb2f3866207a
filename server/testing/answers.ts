/** Sends requests to a server in tests, and reads the complete responses. */
import { type BenchOptions, type ServerBench, serverBench } from "./server_bench.ts";

/** A response that was read. */
export interface ReadAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests read arbitrary responses
  readonly json: any;
}

/** Sends a request like {@link ServerBench.ask}, and reads the complete response. */
export async function requesterFor(
  bench: Pick<ServerBench, "ask">,
  ...request: Parameters<ServerBench["ask"]>
): Promise<ReadAnswer> {
  const response = await bench.ask(...request);
  const text = await response.text();
  const json = text.startsWith("{") && !text.includes("\n") ? JSON.parse(text) : undefined;
  return { status: response.status, text, headers: response.headers, json };
}

/** Starts a server whose callers have its rights, and returns a function that sends requests to it. */
export async function openServer(options: BenchOptions = {}) {
  const bench = await serverBench(["server"], options);
  return {
    bench,
    ask: (method: string, path: string, body?: unknown) => requesterFor(bench, method, path, { body }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
