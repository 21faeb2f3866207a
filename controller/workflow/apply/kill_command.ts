import { parseJson } from "@tiphys/base/bounded_json";
import type { Pod, PodContainer } from "@tiphys/model/api";
import { ANNOTATION, CONTAINER, PATH, VOLUME } from "@tiphys/base/constants";

/**
 * Returns the command that sends a signal to the processes of a container, to be run inside that container. The
 * executor's own containers get the executor's command. For any other container, an annotation of the pod takes
 * precedence over it: no command of a user runs in a container whose rights the user may not have. A container without
 * the executor needs a shell.
 */
export function killCommand(pod: Pod, container: string, signal: number): string[] {
  const kill = ["kill", String(signal), "1"];
  if (container === CONTAINER.supervisor || container === CONTAINER.wait) return ["argoexec", ...kill];
  const annotated = parseWords(pod.metadata.annotations?.[`${ANNOTATION.killCommandPrefix}${container}`]);
  if (annotated) return annotated.map((word) => word.replace("%d", String(signal)));
  const argoexec = argoexecOf(pod, pod.spec.containers.find(({ name }) => name === container));
  return argoexec ? [argoexec, ...kill] : ["/bin/sh", "-c", `kill -${signal} 1`];
}

const EXECUTORS: readonly string[] = [PATH.argoexec, PATH.legacyArgoexec, "argoexec"];

/**
 * The path of the executor in a container: the one that the container itself starts, because the executor's own image
 * needs no mount to have it. A webhook may have put another command in front; then the mounts decide.
 */
function argoexecOf({ spec }: Pod, container: PodContainer | undefined): string | undefined {
  const [started] = container?.command ?? [];
  if (started !== undefined && EXECUTORS.includes(started)) return started;
  const mounted = (path: string) => container?.volumeMounts?.some(({ mountPath }) => mountPath === path) === true;
  if (mounted(PATH.argoBin)) return PATH.argoexec;
  if (!mounted(PATH.varRunArgo)) return undefined;
  const isInitless = spec.volumes?.some(({ name }) => name === VOLUME.argoexecBin) === true;
  return isInitless ? PATH.argoexec : PATH.legacyArgoexec;
}

/** The words of an annotation; undefined if it is not a list of words: a pod is ended in any case. */
function parseWords(annotation: string | undefined): string[] | undefined {
  if (!annotation) return undefined;
  try {
    const words: unknown = parseJson(annotation);
    return Array.isArray(words) && words.length > 0 ? words.map(String) : undefined;
  } catch {
    return undefined;
  }
}
