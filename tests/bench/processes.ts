/** The processes that a measurement starts, and what the kernel says of them. */
import type { ControlPlane } from "./control_plane.ts";
import { NAMESPACE } from "./control_plane.ts";
import { cpuSecondsOf, memoryOf, peakMemoryOf } from "./process_usage.ts";
import type { PodTimes } from "./fake_kubelet.ts";

/** All that was started here and runs. */
const running = new Set<Deno.ChildProcess>();

function keep(child: Deno.ChildProcess): void {
  running.add(child);
  void child.status.finally(() => running.delete(child));
}

/** Ends all that was started here, at once. */
export async function endProcesses(): Promise<void> {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.status));
}

/** A controller that runs. */
export interface ControllerProcess extends AsyncDisposable {
  /** CPU time that it used until now, seconds. */
  cpuSeconds(): number;
  /** The most memory that it ever held, MiB. */
  peakMemory(): number;
  /** The memory that it holds now, MiB. */
  memory(): number;
  /** Ends it; the 99th percentile of its event loop's delay in milliseconds, where it can tell. */
  stop(): Promise<number | undefined>;
}

const PROBE = new URL("./event_loop_probe.ts", import.meta.url).pathname;

/**
 * Starts a controller, given as the beginning of its command line; what every Argo-compatible controller takes comes
 * after it. Its log goes to `logFile`.
 */
export function startController(plane: ControlPlane, command: string, logFile: string): ControllerProcess {
  const probeFile = `${logFile}.event-loop`;
  const words = [
    ...plane.inside,
    "sh",
    "-c",
    'log=$1; shift; exec "$@" >"$log" 2>&1',
    "sh",
    logFile,
    ...command.split(/\s+/).filter(Boolean),
    "--kubeconfig",
    plane.kubeconfig,
    "--namespace",
    NAMESPACE,
    "--executor-image",
    "localhost/argoexec:bench",
    "--executor-image-pull-policy",
    "IfNotPresent",
  ];
  const child = new Deno.Command(words[0] ?? "", {
    args: words.slice(1),
    env: { ARGO_NAMESPACE: NAMESPACE, LEADER_ELECTION_DISABLE: "true", EVENT_LOOP_PROBE_FILE: probeFile },
    stdin: "null",
  }).spawn();
  keep(child);
  let ended = false;
  const status = child.status.then((status) => {
    ended = true;
    return status;
  });
  const failed = () => new Error(`The controller ended by itself; see ${logFile}`);
  const stop = async () => {
    if (!ended) child.kill("SIGTERM");
    await status;
  };
  return {
    cpuSeconds() {
      if (ended) throw failed();
      return cpuSecondsOf(child.pid);
    },
    peakMemory() {
      if (ended) throw failed();
      return peakMemoryOf(child.pid);
    },
    memory() {
      if (ended) throw failed();
      return memoryOf(child.pid);
    },
    async stop() {
      await stop();
      const text = await Deno.readTextFile(probeFile).catch(() => undefined);
      return text === undefined ? undefined : Number(text);
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** The flag that makes a Deno program tell its event loop's delay when it ends. */
export const PROBE_FLAG = `--preload=${PROBE}`;

/** A fake kubelet that watches. */
export interface KubeletProcess extends AsyncDisposable {
  /** Ends it and says what it saw. */
  stop(): Promise<PodTimes[]>;
}

/** Starts a fake kubelet whose pods run for so long; resolves when it watches. */
export async function startKubelet(plane: ControlPlane, runMillis: number): Promise<KubeletProcess> {
  const program = new URL("./fake_kubelet.ts", import.meta.url).pathname;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, plane.kubeconfig, NAMESPACE, String(runMillis)],
    stdin: "piped",
    stdout: "piped",
  });
  const child = command.spawn();
  keep(child);
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.startsWith("ready\n")) {
    const { value, done } = await output.read();
    if (done) throw new Error("The fake kubelet ended by itself");
    text += value;
  }
  let stopped = false;
  return {
    async stop() {
      stopped = true;
      await child.stdin.close();
      for (let part = await output.read(); !part.done; part = await output.read()) text += part.value;
      await child.status;
      return JSON.parse(text.slice("ready\n".length));
    },
    async [Symbol.asyncDispose]() {
      if (stopped) return;
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
