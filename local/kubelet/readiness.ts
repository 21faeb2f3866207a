/** Asks a container again and again whether it is ready. */

import type { PodContainer, Probe } from "../../lib/api/mod.ts";
import type { Container } from "./runtime/runtime.ts";

/** Where a probe asks. */
export interface ProbeTarget {
  /** Where the probe names no host. */
  readonly podIP: string;
  /** What the names of ports mean. */
  readonly ports: NonNullable<PodContainer["ports"]>;
}

/** Yields the answer each time it changes, until the container has ended. */
export async function* readinessOf(
  probe: Probe,
  running: () => Container | undefined,
  target: ProbeTarget,
): AsyncGenerator<boolean> {
  const period = (probe.periodSeconds || 10) * 1000;
  const limits = { good: probe.successThreshold || 1, bad: probe.failureThreshold || 3 };
  let ready = false;
  let streak = 0;
  let pause = (probe.initialDelaySeconds ?? 0) * 1000;
  for (let container = running(); container; container = running()) {
    if (await endsWithin(pause, container)) return;
    const answer = await ask(probe, container, target);
    streak = answer === ready ? 0 : streak + 1;
    if (streak >= (answer ? limits.good : limits.bad)) {
      ready = answer;
      streak = 0;
      yield ready;
    }
    pause = period;
  }
}

/** Waits, but not beyond the container's end. */
async function endsWithin(ms: number, container: Container): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), ms));
  const ended = await Promise.race([passed, container.ended.then(() => true)]);
  clearTimeout(timer);
  return ended;
}

async function ask(probe: Probe, container: Container, { podIP, ports }: ProbeTarget): Promise<boolean> {
  const numberOf = (port: string | number) => ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
  const signal = AbortSignal.timeout((probe.timeoutSeconds || 1) * 1000);
  try {
    if (probe.exec) return (await container.exec(probe.exec.command ?? [], signal)).exitCode === 0;
    if (probe.httpGet) {
      const { scheme = "HTTP", host = podIP, port, path = "/", httpHeaders = [] } = probe.httpGet;
      const headers = httpHeaders.map(({ name, value }): [string, string] => [name, value]);
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
