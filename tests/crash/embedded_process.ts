/** `tiphys local` as a process with a data folder. */
import type { RuntimeName } from "../../local/mod.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/**
 * The folder of this process's Deno cache, so that a killed process has nothing to download and leaves nothing half
 * written.
 */
function ownDenoDir(): string {
  const caches = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  return Deno.env.get("DENO_DIR") ?? `${caches}/deno`;
}

/** The options of an embedded cluster's process. */
export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly runtime: RuntimeName;
  /** XDG_CACHE_HOME; this user's by default. */
  readonly cacheHome?: string | undefined;
}

/** The process of an embedded cluster. */
export class EmbeddedProcess {
  readonly #child: Deno.ChildProcess;
  readonly #errors: Promise<string>;
  /** Resolves when it reports that it is ready, or when it has ended. */
  readonly ready: Promise<void>;

  constructor({ dataDir, runtime, cacheHome }: EmbeddedOptions) {
    const command = ["run", "-A", "--no-check", `${ROOT}cli/main.ts`, "local"];
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...command, "--data", dataDir, "--runtime", runtime, "--allow-host-path"],
      env: { ...(cacheHome !== undefined && { XDG_CACHE_HOME: cacheHome, DENO_DIR: ownDenoDir() }) },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#errors = new Response(this.#child.stderr).text();
    this.ready = awaitPrinted(this.#child.stdout, "Press Ctrl-C to stop it");
  }

  /** Kills the process. @throws {Error} with its output when it had ended by itself */
  async kill(): Promise<void> {
    this.#signal("SIGKILL");
    const { code, signal } = await this.#child.status;
    if (signal !== "SIGKILL") throw new Error(`tiphys local ended by itself with ${code}: ${await this.#errors}`);
  }

  /** Terminates the process gracefully. @throws {Error} with its output when it fails */
  async end(): Promise<void> {
    this.#signal("SIGTERM");
    const { code } = await this.#child.status;
    if (code !== 0) throw new Error(`tiphys local ended with ${code}: ${await this.#errors}`);
  }

  #signal(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      // The process has ended: its exit status is read below.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

async function awaitPrinted(stream: ReadableStream<Uint8Array>, expected: string): Promise<void> {
  const { promise: said, resolve } = Promise.withResolvers<void>();
  let all = "";
  // Reads to the end, so that the process never blocks on a full pipe.
  const read = async () => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      all += text;
      if (all.includes(expected)) resolve();
    }
    resolve();
  };
  void read();
  await said;
}
