/** Objects checked beside others. It stands apart, as what it loads is half of the program, and few commands check anything. */
import type { KubeObject } from "../kube/mod.ts";
import { lintFiles, type LintOptions, type Problem } from "../validate/mod.ts";

/**
 * Everything that is wrong with objects, given as JSON values; `file` of a problem is the object's place in the list. An
 * object goes before the stored one of its kind and name.
 */
export function lintObjects(
  objects: readonly unknown[],
  stored: readonly KubeObject[],
  options: LintOptions = {},
): Problem[] {
  // Each object is a file of its own, so that a problem leads back to it.
  const files = objects.map((value, index) => ({ name: String(index), value }));
  return lintFiles(files, { ...options, stored });
}
