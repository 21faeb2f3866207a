/** The output of a command in a container, held in memory until its end, up to a limit. */
import { MAX_EXEC_OUTPUT_BYTES } from "../limits.ts";

/** A command has written more output than the limit. */
export class ExecOutputTooLarge extends Error {
  override readonly name = "ExecOutputTooLarge";

  constructor() {
    super(`The command was ended: it wrote more than ${MAX_EXEC_OUTPUT_BYTES} bytes`);
  }
}

export class ExecOutput {
  readonly #parts: Record<"stdout" | "stderr", Uint8Array[]> = { stdout: [], stderr: [] };
  #bytes = 0;

  /** @throws {ExecOutputTooLarge}. */
  add(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_EXEC_OUTPUT_BYTES) throw new ExecOutputTooLarge();
    this.#parts[stream].push(chunk.slice());
  }

  text(stream: "stdout" | "stderr"): string {
    const decoder = new TextDecoder();
    return this.#parts[stream].map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  }
}
