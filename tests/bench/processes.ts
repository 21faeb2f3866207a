/** Starts the processes of a measurement, and reads their usage from the kernel. */
import type { ControlPlane } from "./control_plane.ts";
import { NAMESPACE } from "./control_plane.ts";
import { cpuSecondsOf, memoryOf, peakMemoryOf } from "./process_usage.ts";
import type { PodTimes } from "./fake_kubelet.ts";

/** All running processes that were started here. */
const running = new Set<Deno.ChildProcess>();

function track(child: Deno.ChildProcess): void {
  running.add(child);
  void child.status.finally(() => running.delete(child));
}

/** Kills all processes that were started here. */
export async function endProcesses(): Promise<void> {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.status));
}

/** A running controller. */
export interface ControllerProcess extends AsyncDisposable {
  /** CPU time so far, in seconds. */
  cpuSeconds(): number;
  /** Peak memory, in MiB. */
  peakMemory(): number;
  /** Current memory, in MiB. */
  memory(): number;
  /**
   * Stops the controller. Returns the 99th percentile of its event loop delay in milliseconds; undefined if it does not
   * report one.
   */
  stop(): Promise<number | undefined>;
}

const PROBE = new URL("./event_loop_probe.ts", import.meta.url).pathname;

/**
 * Starts a controller from the beginning of its command line, to which the flags of every Argo-compatible controller
 * are added. Its log is written to `logFile`.
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
  track(child);
  let ended = false;
  const status = child.status.then((status) => {
    ended = true;
    return status;
  });
  const failed = () => new Error(`The controller exited unexpectedly; see ${logFile}`);
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

/** The flag that makes a Deno program report its event loop delay at exit. */
export const PROBE_FLAG = `--preload=${PROBE}`;

/** A running fake kubelet. */
export interface KubeletProcess extends AsyncDisposable {
  /** Stops the kubelet, and returns the times of its pods. */
  stop(): Promise<PodTimes[]>;
}

/** Starts a fake kubelet whose pods run for `runMillis`. Resolves when it watches. */
export async function startKubelet(plane: ControlPlane, runMillis: number): Promise<KubeletProcess> {
  const program = new URL("./fake_kubelet.ts", import.meta.url).pathname;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, plane.kubeconfig, NAMESPACE, String(runMillis)],
    stdin: "piped",
    stdout: "piped",
  });
  const child = command.spawn();
  track(child);
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.startsWith("ready\n")) {
    const { value, done } = await output.read();
    if (done) throw new Error("The fake kubelet exited unexpectedly");
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
