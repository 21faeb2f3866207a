/**
 * The folders with the logs and files of a pod's containers. A folder is named after the container's index in its pod,
 * since names are chosen by users.
 */
import type { Pod } from "@tiphys/model/api";

/** The folder in a pod's folder that contains a folder of attempts for each container, by index. */
export const ATTEMPTS = "attempts";

/** The former name of that folder, when it had a folder for each container by name. */
const BY_NAME = "containers";

/**
 * Returns the folder of a container's attempts. `folder` is that of the pod.
 * @throws {Error} if the pod has no such container.
 */
export function attemptFolder(folder: string, pod: Pod, container: string): string {
  const place = containerNames(pod).indexOf(container);
  if (place < 0) throw new Error(`container "${container}" is not one of pod "${pod.metadata.name}"`);
  return `${folder}/${ATTEMPTS}/${place}`;
}

/** Moves the folders that an earlier version created for a pod to their current location. */
export async function adoptNamedAttempts(folder: string, pod: Pod): Promise<void> {
  const present = namesIn(`${folder}/${BY_NAME}`);
  if (present.length === 0) return;
  await Deno.mkdir(`${folder}/${ATTEMPTS}`, { recursive: true });
  for (const name of containerNames(pod)) {
    if (present.includes(name)) await Deno.rename(`${folder}/${BY_NAME}/${name}`, attemptFolder(folder, pod, name));
  }
  await Deno.remove(`${folder}/${BY_NAME}`, { recursive: true });
}

/** The names of the entries of a folder; empty if it does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
    throw error;
  }
}

function containerNames({ spec: { initContainers = [], containers } }: Pod): string[] {
  return [...initContainers, ...containers].map(({ name }) => name);
}
