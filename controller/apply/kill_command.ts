import type { Pod } from "../../lib/api/mod.ts";
import { ANNOTATION, CONTAINER, PATH } from "../../lib/constants.ts";

/**
 * The command that, run inside a container, sends a signal to what the container runs (spec/pods 6.7). An annotation of
 * the pod beats what we know; both layouts mount `/var/run/argo`, so `/argo-bin` is looked for first.
 */
export function killCommand(pod: Pod, container: string, signal: number): string[] {
  const annotation = pod.metadata.annotations?.[`${ANNOTATION.killCommandPrefix}${container}`];
  if (annotation) {
    const words: unknown = JSON.parse(annotation);
    if (Array.isArray(words)) return words.map((word) => String(word).replace("%d", String(signal)));
  }
  const kill = ["kill", String(signal), "1"];
  if (container === CONTAINER.supervisor || container === CONTAINER.wait) return ["argoexec", ...kill];
  const mounts = pod.spec.containers.find(({ name }) => name === container)?.volumeMounts ?? [];
  const mounted = (path: string) => mounts.some(({ mountPath }) => mountPath === path);
  if (mounted(PATH.argoBin)) return [PATH.argoexec, ...kill];
  if (mounted(PATH.varRunArgo)) return [PATH.legacyArgoexec, ...kill];
  return ["/bin/sh", "-c", `kill -${signal} 1`];
}
