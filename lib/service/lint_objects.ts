/**
 * Lints objects together with stored ones. A separate file, because it loads half of the program, and few commands need
 * it.
 */
import type { KubeObject } from "@tiphys/kube";
import { lintFiles, type LintOptions, type Problem } from "@tiphys/language/validate";

/**
 * Returns all problems of objects, given as JSON values. `file` of a problem is the object's index in the list. An
 * object takes precedence over the stored one of the same kind and name.
 */
export function lintObjects(
  objects: readonly unknown[],
  stored: readonly KubeObject[],
  options: LintOptions = {},
): Problem[] {
  // Each object is a separate file, so that a problem refers to it.
  const files = objects.map((value, index) => ({ name: String(index), value }));
  return lintFiles(files, { ...options, stored });
}
