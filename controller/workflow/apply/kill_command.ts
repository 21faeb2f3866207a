import type { Pod } from "../../../lib/api/mod.ts";
import { ANNOTATION, CONTAINER, PATH } from "../../../lib/constants.ts";

/**
 * The command that, run inside a container, sends a signal to what the container runs. An annotation of
 * the pod beats what we know; both layouts mount `/var/run/argo`, so `/argo-bin` is looked for first. In a container of
 * ours runs no command of a user's: it has rights that the user's may not have.
 */
export function killCommand(pod: Pod, container: string, signal: number): string[] {
  const kill = ["kill", String(signal), "1"];
  if (container === CONTAINER.supervisor || container === CONTAINER.wait) return ["argoexec", ...kill];
  const annotated = wordsOf(pod.metadata.annotations?.[`${ANNOTATION.killCommandPrefix}${container}`]);
  if (annotated) return annotated.map((word) => word.replace("%d", String(signal)));
  const mounts = pod.spec.containers.find(({ name }) => name === container)?.volumeMounts ?? [];
  const mounted = (path: string) => mounts.some(({ mountPath }) => mountPath === path);
  if (mounted(PATH.argoBin)) return [PATH.argoexec, ...kill];
  if (mounted(PATH.varRunArgo)) return [PATH.legacyArgoexec, ...kill];
  return ["/bin/sh", "-c", `kill -${signal} 1`];
}

/** The words of an annotation; undefined for one that is no list of words: a pod is ended all the same. */
function wordsOf(annotation: string | undefined): string[] | undefined {
  if (!annotation) return undefined;
  try {
    const words: unknown = JSON.parse(annotation);
    return Array.isArray(words) && words.length > 0 ? words.map(String) : undefined;
  } catch {
    return undefined;
  }
}
