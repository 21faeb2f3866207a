/** The engine in this process: the embedded cluster, and the controller beside it. */
import { defaultConfig, lineLog, startController } from "../controller/mod.ts";
import { findRunning, type RuntimeName, RUNTIMES, startEmbeddedCluster } from "../local/mod.ts";
import { badInput, CommandError } from "./command_error.ts";
import { cacheDir } from "./data_dir.ts";
import type { Engine, EngineOptions } from "./world.ts";

/** Starts both. Throws when another process has the data, or this machine runs no containers. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { dataDir, log, verbose, runtime, onNotice, allowHostPath, tls, port } = options;
  const cache = cacheDir((name) => Deno.env.get(name));
  await makeFolder(dataDir, 0o700, "name another data folder with --data");
  await makeFolder(cache, 0o755, "name another place for what can be made again with XDG_CACHE_HOME");
  const running = await findRunning(dataDir);
  if (running) {
    throw new CommandError(
      `Another tiphys (process ${running.pid}) runs over ${dataDir}: give this one a folder of its own with --data, ` +
        `or hand the workflow to that one with  tiphys submit --data ${dataDir}`,
    );
  }
  const cluster = await startEmbeddedCluster({
    dataDir,
    cacheDir: cache,
    ...(runtime !== undefined && { runtime: runtimeNamed(runtime) }),
    ...(allowHostPath !== undefined && { allowHostPath }),
    ...(tls !== undefined && { tls }),
    ...(port !== undefined && { port }),
    onNotice,
    onError: (what, error) => log(`could not ${what}: ${error instanceof Error ? error.message : String(error)}`),
  }).catch((error) => {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new CommandError(`Another program listens on port ${port}: name another one with --port, or none`);
  });
  try {
    const { engine } = defaultConfig({ executorImage: cluster.executorImage });
    const executor = { ...engine.executor, nodeKnowsImages: cluster.runtime !== "host" };
    const controller = await startController({
      client: cluster.client,
      config: () => ({ ...engine, executor, remakeAfterShutdown: true }),
      log: lineLog({ level: verbose ? "debug" : "error", format: "text", write: log }),
    });
    return {
      client: cluster.client,
      runtime: cluster.runtime,
      async close() {
        await controller.close();
        await cluster.close();
      },
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

function runtimeNamed(name: string): RuntimeName {
  const found = RUNTIMES.find((known) => known === name);
  if (!found) throw badInput(`--runtime ${JSON.stringify(name)}: expected one of ${RUNTIMES.join(", ")}`);
  return found;
}

/** Throws with what to do instead when there can be no such folder, or nothing can be written into it. */
async function makeFolder(path: string, mode: number, instead: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true, mode });
    await Deno.remove(await Deno.makeTempFile({ dir: path }));
  } catch (error) {
    throw new CommandError(`${path} cannot be used: ${error instanceof Error ? error.message : error}; ${instead}`);
  }
}
