/** The world as it is. What only some commands need is loaded when they need it. */
import { cacheDir } from "./data_dir.ts";
import type { World } from "./world.ts";

/** A terminal signals all processes of its foreground, and `deno task` passes on what it got: one key, two signals. */
const SAME_KEY_MILLIS = 150;

/** The world of this process. */
export const realWorld: World = {
  out: (text) => write(Deno.stdout, text),
  err: (text) => write(Deno.stderr, text),
  terminal() {
    if (!Deno.stdout.isTerminal()) return undefined;
    try {
      return Deno.consoleSize();
    } catch {
      return undefined;
    }
  },
  env: (name) => Deno.env.get(name),
  now: () => new Date(),
  stdin: () => new Response(Deno.stdin.readable).text(),
  readFile: (path) => Deno.readTextFile(path),
  openFile: async (path) => path === "-" ? Deno.stdin.readable : (await Deno.open(path)).readable,
  confirm: (question) => Deno.stdin.isTerminal() && confirm(question),
  async connect(where) {
    const { connect } = await import("./connect.ts");
    return await connect(where);
  },
  async startEngine(options) {
    const { startEngine } = await import("./engine.ts");
    return await startEngine(options);
  },
  async findEngine(dataDir) {
    const { findRunning } = await import("../local/announcement.ts");
    return await findRunning(dataDir);
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
    const listener = () => {
      const now = performance.now();
      if (now - last > SAME_KEY_MILLIS) handler();
      last = now;
    };
    const signals: Deno.Signal[] = ["SIGINT", "SIGTERM"];
    for (const signal of signals) Deno.addSignalListener(signal, listener);
    return {
      [Symbol.dispose]() {
        for (const signal of signals) Deno.removeSignalListener(signal, listener);
      },
    };
  },
};

function write(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = new TextEncoder().encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(to.writeSync(bytes));
  } catch (error) {
    // Whoever read us has gone (`| head`): there is nobody to tell, and nothing to go on for.
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    throw error;
  }
}
