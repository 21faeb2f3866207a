import type { Pod } from "../../../lib/api/mod.ts";
import { ANNOTATION, CONTAINER, PATH } from "../../../lib/constants.ts";

/**
 * The command that is run inside a container to send a signal to its processes. An annotation of the pod goes before it.
 * Both layouts mount `/var/run/argo`, so `/argo-bin` is looked for first. In a container of the executor no command of a
 * user is run: the container has rights that the user may not have.
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
