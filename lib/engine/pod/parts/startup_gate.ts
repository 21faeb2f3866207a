/** The startup gate: probes and the readiness of daemons start with the user's process instead of its container. */
import type { PodContainer, Probe } from "@tiphys/model/api";
import type { PodDraft } from "../layout.ts";
import { isMainName } from "./template_containers.ts";

/** The failure threshold of the startup probe: main may wait for its inputs indefinitely. */
const UNLIMITED_FAILURES = 2 ** 31 - 1;

/**
 * A startup probe that delays the container's other probes and its readiness until argoexec reports that the user's
 * process runs. Undefined for a container without probes that is not a daemon, or with its own startup probe.
 */
export function startupGate(container: PodContainer, { template, layout }: PodDraft): Probe | undefined {
  if (container.startupProbe) return undefined;
  const isDaemon = template.daemon === true && isMainName(container.name, template);
  if (!isDaemon && !container.livenessProbe && !container.readinessProbe) return undefined;
  return {
    exec: { command: [layout.argoexec, "ready"] },
    periodSeconds: 1,
    timeoutSeconds: 10,
    failureThreshold: UNLIMITED_FAILURES,
  };
}
