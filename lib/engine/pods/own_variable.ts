import type { Pod } from "@tiphys/model/api";

/** The value of a variable that the controller gave a pod when it made it; undefined for a pod made by an older controller. */
export function ownVariable({ spec }: Pod, name: string): string | undefined {
  for (const { env } of spec.containers) {
    const value = env?.find((entry) => entry.name === name)?.value;
    if (value) return value;
  }
  return undefined;
}
