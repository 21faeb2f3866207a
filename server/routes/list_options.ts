/** Query parameters that several routes share. */
import { badRequest } from "../wire/errors.ts";
import type { QueryValues } from "../wire/query.ts";

/** Options of lists and watches, as in Kubernetes. */
export const LIST_OPTIONS = {
  "listOptions.labelSelector": "string",
  "listOptions.fieldSelector": "string",
  "listOptions.watch": "bool",
  "listOptions.allowWatchBookmarks": "bool",
  "listOptions.resourceVersion": "string",
  "listOptions.resourceVersionMatch": "string",
  "listOptions.timeoutSeconds": "int",
  "listOptions.limit": "int",
  "listOptions.continue": "string",
  "listOptions.sendInitialEvents": "bool",
} as const;

/** Options of deletions. */
export const DELETE_OPTIONS = {
  "deleteOptions.gracePeriodSeconds": "int",
  "deleteOptions.preconditions.uid": "string",
  "deleteOptions.preconditions.resourceVersion": "string",
  "deleteOptions.orphanDependents": "bool",
  "deleteOptions.propagationPolicy": "string",
  "deleteOptions.dryRun": "strings",
} as const;

export const GET_OPTIONS = { "getOptions.resourceVersion": "string" } as const;

const POLICIES = ["Background", "Foreground", "Orphan"] as const;

/**
 * Converts the options of a deletion for Kubernetes.
 * @throws {WireError} if the propagation policy is invalid.
 */
export function deleteOptions(query: QueryValues<typeof DELETE_OPTIONS>, usualPolicy: string | undefined) {
  const word = query["deleteOptions.propagationPolicy"] || usualPolicy;
  const propagationPolicy = POLICIES.find((policy) => policy === word);
  if (word && !propagationPolicy) {
    throw badRequest(
      `deleteOptions.propagationPolicy: expected one of ${POLICIES.join(", ")}, got ${JSON.stringify(word)}`,
    );
  }
  return {
    propagationPolicy,
    uid: query["deleteOptions.preconditions.uid"] || undefined,
    resourceVersion: query["deleteOptions.preconditions.resourceVersion"] || undefined,
    gracePeriodSeconds: query["deleteOptions.gracePeriodSeconds"],
    dryRun: query["deleteOptions.dryRun"]?.includes("All") ?? false,
  };
}
