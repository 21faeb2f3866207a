import type { Pod } from "@tiphys/model/api";

/**
 * The value of an environment variable that the controller sets in pods; undefined for a pod of an older controller.
 */
export function controllerVariable({ spec }: Pod, name: string): string | undefined {
  for (const { env } of spec.containers) {
    const value = env?.find((entry) => entry.name === name)?.value;
    if (value) return value;
  }
  return undefined;
}
