/**
 * Detects whether the machines of a cluster can mount image volumes, with one pod per version of a container runtime.
 * Even if the API server accepts image volumes, a runtime may reject them, mount them empty, or mount them without
 * permission to execute.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import { classifyError, type KubeClient, NODES } from "@tiphys/kube";
import type { LayoutResult } from "./layout.ts";
import { type Probe, probeMachine } from "./probe_machine.ts";

/** Options for probing the container runtimes of a cluster. */
export interface RuntimesOptions {
  readonly client: KubeClient;
  /** The namespace in which probe pods are created. */
  readonly namespace: string;
  readonly image: string;
  readonly imagePullPolicy?: string | undefined;
  /** Results by runtime and image. The caller keeps them, so that each version is probed once. */
  readonly probes: Map<string, Probe>;
  readonly signal: AbortSignal;
  /** The timeout of a probe, in milliseconds. */
  readonly patienceMillis?: number;
}

/** A machine that accepts pods. */
export interface Machine {
  readonly name: string;
  /** The container runtime in the kubelet's notation: `containerd://2.1.4`. */
  readonly runtime: string;
}

/** Returns why a runtime is known to lack image volumes; undefined if a probe is necessary. */
export function knownIncompatibility(runtime: string): string | undefined {
  const [name, version = ""] = runtime.split("://");
  const [major = NaN, minor = NaN] = version.split(".").map(Number);
  if (name === "docker") return "cri-dockerd does not support image volumes";
  if (name === "containerd" && (major < 2 || (major === 2 && minor < 1))) {
    return `containerd ${version} does not support image volumes (2.1 does)`;
  }
  if (name === "cri-o" && major === 1 && minor < 31) {
    return `CRI-O ${version} does not support image volumes (1.31 does)`;
  }
  return undefined;
}

/**
 * Probes each version of a runtime. Only a definite failure rules out image volumes; inconclusive probes are listed in
 * the reason.
 */
export async function probeRuntimes(options: RuntimesOptions): Promise<LayoutResult> {
  const machines = await machinesOf(options.client);
  if (machines === "forbidden") {
    return { layout: "initless", reason: "the API server supports image volumes; listing the machines is forbidden" };
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
  const found = doubts.length
    ? `some container runtimes could not be probed (${doubts.join("; ")})`
    : "every container runtime does";
  return { layout: "initless", reason: `the API server supports image volumes; ${found}` };
}

async function probeOnce(options: RuntimesOptions, machine: Machine): Promise<Probe> {
  const key = `${machine.runtime} ${options.image}`;
  const known = options.probes.get(key);
  if (known) return known;
  const why = knownIncompatibility(machine.runtime);
  const probe: Probe = why ? { kind: "fails", why } : await probeMachine(options, machine);
  if (probe.kind !== "unknown") options.probes.set(key, probe);
  return probe;
}

/**
 * The machines that accept pods at the moment. Machines with Windows are not probed: their pods always have the legacy
 * layout.
 */
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
    const sort = classifyError(error);
    if (sort === "forbidden" || sort === "notFound") return "forbidden";
    throw error;
  }
}
