/** The `World` of a process. Modules that only some commands need are loaded on demand. */
import { boundedText } from "./input/bounded_text.ts";
import { cacheDir } from "./connect/data_dir.ts";
import { escapeForTerminal } from "./view/plain.ts";
import type { TerminalSize, World } from "./world.ts";

/**
 * A terminal signals all foreground processes, and `deno task` also forwards its signal: one key press causes two
 * signals.
 */
const SAME_KEY_MILLIS = 150;

/** The world of this process. */
export const realWorld: World = {
  out: (text) => write(Deno.stdout, Deno.stdout.isTerminal() ? escapeForTerminal(text) : text),
  err: (text) => write(Deno.stderr, Deno.stderr.isTerminal() ? escapeForTerminal(text) : text),
  eraseLines: (count) => write(Deno.stdout, `\x1b[${count}A\x1b[0J`),
  terminal() {
    if (!Deno.stdout.isTerminal()) return undefined;
    try {
      return usableSize(Deno.consoleSize());
    } catch {
      return undefined;
    }
  },
  env: (name) => Deno.env.get(name),
  now: () => new Date(),
  stdin: () => boundedText(Deno.stdin.readable),
  readFile: async (path) => await boundedText((await Deno.open(path)).readable),
  writeFile: (path, text) => Deno.writeTextFile(path, text),
  openFile: async (path) => path === "-" ? Deno.stdin.readable : (await Deno.open(path)).readable,
  canPrompt: () => Deno.stdin.isTerminal() && Deno.stdout.isTerminal(),
  confirm: (question) => Deno.stdin.isTerminal() && confirm(question),
  async connect(where) {
    const { connect } = await import("./connect/connect.ts");
    return await connect(where);
  },
  async startLocalCluster(options) {
    const { startLocalCluster } = await import("./connect/local_cluster.ts");
    return await startLocalCluster(options);
  },
  async findEngine(dataDir) {
    const { findRunning } = await import("../local/announcement.ts");
    return await findRunning(dataDir);
  },
  async findPage(dataDir) {
    const { findPage } = await import("./connect/local_page.ts");
    return await findPage(dataDir);
  },
  async openLink(link, ended) {
    const { openLink } = await import("./connect/open_link.ts");
    return await openLink(link, ended);
  },
  async removeData(dataDir) {
    const { removeData } = await import("../local/data_folder.ts");
    await removeData(dataDir);
  },
  async imageStore() {
    const { ImageStore } = await import("../local/image/image_store.ts");
    const { imageStoreOptions } = await import("../local/image/machine_settings.ts");
    return new ImageStore(await imageStoreOptions(cacheDir((name) => Deno.env.get(name))));
  },
  onInterrupt(handler) {
    let last = -Infinity;
    const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => {
      const listener = () => {
        const now = performance.now();
        if (now - last > SAME_KEY_MILLIS) handler(signal);
        last = now;
      };
      Deno.addSignalListener(signal, listener);
      return () => Deno.removeSignalListener(signal, listener);
    });
    return {
      [Symbol.dispose]() {
        for (const remove of listeners) remove();
      },
    };
  },
};

function write(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = new TextEncoder().encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(to.writeSync(bytes));
  } catch (error) {
    // The reader of the output has exited (`| head`), so there is no reason to continue.
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    throw error;
  }
}

/** The size to assume for a terminal that does not report one, as some CI systems provide. */
const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** Returns the size of a terminal, with defaults in place of 0. */
export function usableSize({ columns, rows }: TerminalSize): TerminalSize {
  return { columns: columns || DEFAULT_SIZE.columns, rows: rows || DEFAULT_SIZE.rows };
}
