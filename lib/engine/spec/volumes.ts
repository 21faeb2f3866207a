/** Volumes of the workflow whose tags refer to the callers of a pod: they are substituted when the pod is created. */
import type { WorkflowSpec } from "@tiphys/model/api";
import { recordDerived, replaceTags, type Values } from "@tiphys/language/template";
import type { Slice } from "../slice.ts";

/**
 * The values that the callers of a pod provide for tags in volumes. Those of an outer caller take precedence. Undefined
 * if the volumes have no tags.
 */
export type VolumeScope = Values | undefined;

/** Whether the volumes of the spec have tags that are not globals. */
export function hasTagsInVolumes({ draft: { spec: { volumes } } }: Slice): boolean {
  if (!volumes) return false;
  let hasTags = hasTagsCache.get(volumes);
  if (hasTags === undefined) hasTagsCache.set(volumes, hasTags = JSON.stringify(volumes).includes("{{"));
  return hasTags;
}

const hasTagsCache = new WeakMap<object, boolean>();

/**
 * The values for volumes of pods below a steps or DAG template: those of its callers, then its own.
 */
export function volumeScopeOf(pass: Slice, callers: VolumeScope, values: Values): VolumeScope {
  if (!hasTagsInVolumes(pass)) return undefined;
  return callers ? new Map([...values, ...callers]) : values;
}

/** Returns the spec for a pod, with the tags of its volumes substituted in one pass. Unknown tags stay. */
export function specWithVolumes(pass: Slice, scope: VolumeScope): WorkflowSpec {
  if (!scope || !hasTagsInVolumes(pass)) return pass.draft.spec;
  return recordDerived(
    { ...pass.draft.spec, volumes: replaceTags(pass.draft.volumesBeforeSubstitution, scope, { kind: "lenient" }) },
    pass.draft.spec,
  );
}
