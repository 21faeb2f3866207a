/** Probes, and what counts a daemon as ready, begin when the user's process does: not when its container does. */
import type { PodContainer, Probe } from "@tiphys/model/api";
import type { PodDraft } from "../layout.ts";
import { isMainName } from "./template_containers.ts";

/** The failures of a startup probe after which the kubelet kills a container: main waits for its inputs for ever. */
const NEVER = 2 ** 31 - 1;

/**
 * A startup probe that holds back the container's other probes, and its readiness, until argoexec says that the user's
 * process runs. Undefined for a container that nobody asks, or that brings a startup probe of its own.
 */
export function startupGate(container: PodContainer, { template, layout }: PodDraft): Probe | undefined {
  if (container.startupProbe) return undefined;
  const isDaemon = template.daemon === true && isMainName(container.name, template);
  if (!isDaemon && !container.livenessProbe && !container.readinessProbe) return undefined;
  return {
    exec: { command: [layout.argoexec, "ready"] },
    periodSeconds: 1,
    timeoutSeconds: 10,
    failureThreshold: NEVER,
  };
}
