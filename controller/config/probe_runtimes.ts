/**
 * Asking the machines of a cluster whether they can mount image volumes, one pod for each version of a container
 * runtime: what the API server keeps, the runtime may still refuse, mount empty or mount without the right to execute.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import { type KubeClient, NODES, sortError } from "@tiphys/kube";
import type { LayoutAnswer } from "./layout.ts";
import { type Probe, probeMachine } from "./probe_machine.ts";

/** The image that the machines of a cluster are to mount, and the means to ask them. */
export interface RuntimesOptions {
  readonly client: KubeClient;
  /** The namespace in which the probe pods are made. */
  readonly namespace: string;
  readonly image: string;
  readonly imagePullPolicy?: string | undefined;
  /** Answers by runtime and image; kept by the caller, so that each version is asked once. */
  readonly known: Map<string, Probe>;
  readonly signal: AbortSignal;
  /** The time to wait for an answer, in milliseconds. */
  readonly patienceMillis?: number;
}

/** A machine that pods can be sent to. */
export interface Machine {
  readonly name: string;
  /** The container runtime in the kubelet's words: `containerd://2.1.4`. */
  readonly runtime: string;
}

/** Runtimes of which it is known that they have no image volumes. */
export function knownToFail(runtime: string): string | undefined {
  const [name, version = ""] = runtime.split("://");
  const [major = NaN, minor = NaN] = version.split(".").map(Number);
  if (name === "docker") return "cri-dockerd has no image volumes";
  if (name === "containerd" && (major < 2 || (major === 2 && minor < 1))) {
    return `containerd ${version} has no image volumes (2.1 has)`;
  }
  if (name === "cri-o" && major === 1 && minor < 31) return `CRI-O ${version} has no image volumes (1.31 has)`;
  return undefined;
}

/** Asks each version of a runtime. Only a clear no speaks against image volumes; what cannot be found out is said. */
export async function probeRuntimes(options: RuntimesOptions): Promise<LayoutAnswer> {
  const machines = await machinesOf(options.client);
  if (machines === "forbidden") {
    return { layout: "initless", reason: "the API server keeps image volumes; the machines may not be listed" };
  }
  const byRuntime = new Map(machines.map((machine) => [machine.runtime, machine]));
  const answers = await Promise.all([...byRuntime.values()].map(async (machine) => ({
    machine,
    probe: await probeOnce(options, machine),
  })));
  const failed = answers.find(({ probe }) => probe.kind === "fails");
  if (failed?.probe.kind === "fails") {
    const { name, runtime } = failed.machine;
    return {
      layout: "legacy",
      reason: `node "${name}" (${runtime}) cannot run from an image volume: ${failed.probe.why}`,
    };
  }
  const doubts = answers.flatMap(({ machine, probe }) =>
    probe.kind === "unknown" ? [`${machine.runtime}: ${probe.why}`] : []
  );
  const said = doubts.length ? `not every runtime answered (${doubts.join("; ")})` : "every container runtime does";
  return { layout: "initless", reason: `the API server keeps image volumes; ${said}` };
}

async function probeOnce(options: RuntimesOptions, machine: Machine): Promise<Probe> {
  const key = `${machine.runtime} ${options.image}`;
  const known = options.known.get(key);
  if (known) return known;
  const why = knownToFail(machine.runtime);
  const probe: Probe = why ? { kind: "fails", why } : await probeMachine(options, machine);
  if (probe.kind !== "unknown") options.known.set(key, probe);
  return probe;
}

/** The machines that would take a pod now. Windows is never asked: its pods are legacy whatever it says. */
async function machinesOf(client: KubeClient): Promise<Machine[] | "forbidden"> {
  const machines: Machine[] = [];
  let next: string | undefined;
  try {
    do {
      const page = await client.list(NODES, undefined, { limit: 500, continue: next });
      for (const { metadata, spec, status } of page.items) {
        const { nodeInfo, conditions } = fieldsOf(status);
        const { containerRuntimeVersion: runtime, operatingSystem } = fieldsOf(nodeInfo);
        const facts = Array.isArray(conditions) ? conditions.map(fieldsOf) : [];
        const ready = facts.some(({ type, status }) => type === "Ready" && status === "True");
        if (typeof runtime !== "string" || !ready) continue;
        if (fieldsOf(spec).unschedulable || operatingSystem === "windows") continue;
        machines.push({ name: metadata.name!, runtime });
      }
      next = page.metadata.continue;
    } while (next);
    return machines;
  } catch (error) {
    const sort = sortError(error);
    if (sort === "forbidden" || sort === "notFound") return "forbidden";
    throw error;
  }
}
