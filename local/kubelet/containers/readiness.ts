/** Probes the readiness of a container periodically. */

import type { PodContainer, Probe } from "@tiphys/model/api";
import { MAX_PROBE_SECONDS, MIN_PROBE_SECONDS } from "../limits.ts";
import type { Container } from "../runtime/runtime.ts";

/** The schemes of probes; `fetch` supports more, including files of this machine. */
const SCHEMES: readonly string[] = ["HTTP", "HTTPS"];

/** The target of a container's probes. */
export interface ProbeTarget {
  /** The address of probes without a host. */
  readonly podIP: string;
  /** The ports of the container, for probes of a named port. */
  readonly ports: NonNullable<PodContainer["ports"]>;
}

/** Yields the readiness each time it changes, until the container has ended. */
export async function* watchReadiness(
  probe: Probe,
  running: () => Container | undefined,
  target: ProbeTarget,
): AsyncGenerator<boolean> {
  const period = milliseconds(probe.periodSeconds || 10);
  const limits = { good: probe.successThreshold || 1, bad: probe.failureThreshold || 3 };
  let ready = false;
  let streak = 0;
  let pause = probe.initialDelaySeconds ? milliseconds(probe.initialDelaySeconds) : 0;
  for (let container = running(); container; container = running()) {
    if (await exitsWithin(pause, container)) return;
    const answer = await runProbe(probe, container, target);
    streak = answer === ready ? 0 : streak + 1;
    if (streak >= (answer ? limits.good : limits.bad)) {
      ready = answer;
      streak = 0;
      yield ready;
    }
    pause = period;
  }
}

/** Waits for a time, or until the container has ended. Returns whether it has ended. */
async function exitsWithin(ms: number, container: Container): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), ms));
  const ended = await Promise.race([passed, container.ended.then(() => true)]);
  clearTimeout(timer);
  return ended;
}

/**
 * Converts a user's time to milliseconds within limits. A cluster refuses invalid times, and a timer would fire at
 * once.
 */
function milliseconds(seconds: unknown): number {
  const wanted = typeof seconds === "number" && !Number.isNaN(seconds) ? seconds : 0;
  return 1000 * Math.min(MAX_PROBE_SECONDS, Math.max(MIN_PROBE_SECONDS, wanted));
}

async function runProbe(probe: Probe, container: Container, { podIP, ports }: ProbeTarget): Promise<boolean> {
  const numberOf = (port: string | number) => ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
  try {
    const signal = AbortSignal.timeout(milliseconds(probe.timeoutSeconds || 1));
    if (probe.exec) return (await container.exec(probe.exec.command ?? [], { signal })).exitCode === 0;
    if (probe.httpGet) {
      const { scheme = "HTTP", host = podIP, port, path = "/", httpHeaders = [] } = probe.httpGet;
      const headers = httpHeaders.map(({ name, value }): [string, string] => [name, value]);
      if (!SCHEMES.includes(scheme)) return false;
      const url = `${scheme.toLowerCase()}://${host}:${numberOf(port)}/${path.replace(/^\//, "")}`;
      const response = await fetch(url, { headers, signal });
      await response.body?.cancel();
      return response.status < 400;
    }
    if (probe.tcpSocket) {
      const connection = await Deno.connect({
        hostname: probe.tcpSocket.host ?? podIP,
        port: numberOf(probe.tcpSocket.port),
        signal,
      });
      connection.close();
    }
    return true;
  } catch {
    return false;
  }
}
