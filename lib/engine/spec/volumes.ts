/** Volumes of the workflow whose tags speak of the callers of a pod: they are filled in when the pod is made. */
import type { WorkflowSpec } from "@tiphys/model/api";
import { derive, replaceTags, type Values } from "@tiphys/language/template";
import type { Slice } from "../slice.ts";

/**
 * The values that the callers of a pod offer to tags in volumes, an outer caller's before those of an inner one;
 * undefined where no volume asks for any.
 */
export type VolumeScope = Values | undefined;

/** Whether the volumes of the spec have tags that the globals did not fill in. */
export function volumesAsk({ draft: { spec: { volumes } } }: Slice): boolean {
  if (!volumes) return false;
  let asks = asking.get(volumes);
  if (asks === undefined) asking.set(volumes, asks = JSON.stringify(volumes).includes("{{"));
  return asks;
}

const asking = new WeakMap<object, boolean>();

/**
 * The values for volumes that the callees of a steps or DAG template may use: those of its own callers, then its own.
 */
export function volumeScopeOf(pass: Slice, callers: VolumeScope, values: Values): VolumeScope {
  if (!volumesAsk(pass)) return undefined;
  return callers ? new Map([...values, ...callers]) : values;
}

/** The spec for a pod: its volumes with their tags filled in, once; tags that nobody knows stay. */
export function specWithVolumes(pass: Slice, scope: VolumeScope): WorkflowSpec {
  if (!scope || !volumesAsk(pass)) return pass.draft.spec;
  return derive(
    { ...pass.draft.spec, volumes: replaceTags(pass.draft.volumesAsWritten, scope, { kind: "lenient" }) },
    pass.draft.spec,
  );
}
