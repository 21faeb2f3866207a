/**
 * The folders in which the containers of a pod keep their logs and what they write, each called after the container's
 * place in its pod, because names are their writers'.
 */

import type { Pod } from "@tiphys/model/api";

/** The folder in a pod's folder that has a folder for each container, by its place, with its attempts. */
export const ATTEMPTS = "attempts";

/** The name of that folder in an earlier version, which had a folder for each container by its name. */
const BY_NAME = "containers";

/**
 * The folder of a container's attempts; `folder` is the pod's.
 * @throws {Error} for a container that the pod has not.
 */
export function attemptFolder(folder: string, pod: Pod, container: string): string {
  const place = containerNames(pod).indexOf(container);
  if (place < 0) throw new Error(`container "${container}" is not one of pod "${pod.metadata.name}"`);
  return `${folder}/${ATTEMPTS}/${place}`;
}

/** Moves the folders that an earlier version kept for a pod to where they are looked for now. */
export async function adoptNamedAttempts(folder: string, pod: Pod): Promise<void> {
  const present = namesIn(`${folder}/${BY_NAME}`);
  if (present.length === 0) return;
  await Deno.mkdir(`${folder}/${ATTEMPTS}`, { recursive: true });
  for (const name of containerNames(pod)) {
    if (present.includes(name)) await Deno.rename(`${folder}/${BY_NAME}/${name}`, attemptFolder(folder, pod, name));
  }
  await Deno.remove(`${folder}/${BY_NAME}`, { recursive: true });
}

/** The names of what is in a folder; none when there is no such folder. */
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
