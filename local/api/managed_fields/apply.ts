/** Server-side apply: merges the fields of one writer into an object, as far as other writers' fields allow. */

import type { KubeObject } from "@tiphys/kube";
import { apiVersionOf } from "@tiphys/kube/resources";
import type { Stages } from "@tiphys/base/turns";
import { difference, EMPTY, type FieldSet, intersection, isEmpty, pathsOf, sameSet, union } from "./field_set.ts";
import { fieldsApplied, fieldsChanged, fieldsPresent, mergeValues, removeFields } from "./field_values.ts";
import {
  encodeOwnerships,
  type ManagedFieldsEntry,
  type Ownership,
  ownershipsOf,
  sameWriter,
  type Write,
} from "./managers.ts";
import { shapeOf } from "./shape.ts";

/** The result of an apply: the object, and the owners of its fields. */
export interface ApplyResult {
  readonly object: KubeObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/** A field that another writer owns with a different value. */
export interface ApplyConflict {
  /** The other writer, as text for users. */
  readonly owner: string;
  readonly path: string;
}

/** The maximum number of conflicts in an error. */
const LISTED_CONFLICTS = 100;
/** The maximum length of a path in an error. */
const SHOWN_PATH = 500;

/** The writer wants to change fields of other owners. It may force the change. */
export class ApplyConflictError extends Error {
  override readonly name = "ApplyConflictError";

  /** The first conflicts: their number can reach that of the fields. */
  readonly conflicts: readonly ApplyConflict[];

  constructor(conflicts: readonly ApplyConflict[]) {
    const listed = conflicts.slice(0, LISTED_CONFLICTS).map(({ owner, path }) => ({
      owner,
      path: path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH)}…` : path,
    }));
    super(conflictMessage(listed, conflicts.length));
    this.conflicts = listed;
  }
}

/**
 * Merges a writer's fields into an object, in stages: each one visits all fields of the object or of a writer once.
 * `live` is undefined for a new object. Fields that the writer applied before and does not any more are removed, unless
 * they have another owner.
 * @throws {ApplyConflictError} unless `force` is set.
 */
export function* applyConfiguration(
  live: KubeObject | undefined,
  applied: KubeObject,
  { resource, writer, now, force, wantedBefore }: Write & {
    readonly force: boolean;
    /**
     * The object as the same user applied it without server-side apply: its fields are taken over from their owners.
     */
    readonly wantedBefore?: KubeObject | undefined;
  },
): Stages<ApplyResult> {
  const shape = shapeOf(resource);
  const ownerships = live ? ownershipsOf(live) : [];
  yield;
  const mine = ownerships.find((ownership) => sameWriter(ownership.writer, writer));
  const others = ownerships.filter((ownership) => ownership !== mine);
  const fields = fieldsApplied(applied, shape);
  yield;
  const merged = live ? mergeValues(live, applied, shape) as KubeObject : applied;
  yield;
  const changed = live ? fieldsChanged(live, merged, shape) : EMPTY;
  yield;
  const given = wantedBefore === undefined ? EMPTY : fieldsApplied(wantedBefore, shape);
  if (!force) refuseConflicts(others, difference(changed, given));
  yield;
  const left: Ownership[] = [];
  let kept = fields;
  for (const other of others) {
    const rest = difference(other.fields, changed);
    left.push({ ...other, fields: rest });
    yield;
    kept = union(kept, rest);
    yield;
  }
  const dropped = difference(mine?.fields ?? EMPTY, fields);
  yield;
  const object = removeFields(merged, dropped, kept, shape) as KubeObject;
  yield;
  const time = mine && sameSet(mine.fields, fields) ? mine.time : now;
  const present: Ownership[] = [];
  for (const ownership of left) {
    present.push({ ...ownership, fields: fieldsPresent(ownership.fields, object, shape) });
    yield;
  }
  return {
    object,
    managedFields: encodeOwnerships([...present, { writer, apiVersion: apiVersionOf(resource), time, fields }]),
  };
}

function refuseConflicts(others: readonly Ownership[], changed: FieldSet): void {
  const conflicts = others.flatMap((other) => {
    const contested = intersection(other.fields, changed);
    return isEmpty(contested) ? [] : pathsOf(contested).map((path) => ({ owner: ownerName(other), path }));
  });
  if (conflicts.length > 0) throw new ApplyConflictError(conflicts);
}

function ownerName({ writer, apiVersion, time }: Ownership): string {
  const name = JSON.stringify(writer.manager) + (writer.subresource ? ` with subresource "${writer.subresource}"` : "");
  if (writer.operation === "Apply") return name;
  return `${name} using ${apiVersion}${time === undefined ? "" : ` at ${time}`}`;
}

function conflictMessage(listed: readonly ApplyConflict[], count: number): string {
  const [first] = listed;
  if (first !== undefined && count === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.path}`;
  }
  const byOwner = Map.groupBy(listed, ({ owner }) => owner);
  const texts = [...byOwner].sort(([a], [b]) => a < b ? -1 : 1).map(([owner, conflicts]) =>
    [`conflicts with ${owner}:`, ...conflicts.map(({ path }) => `- ${path}`)].join("\n")
  );
  if (count > listed.length) texts.push(`and ${count - listed.length} more`);
  return `Apply failed with ${count} conflicts: ${texts.join("\n")}`;
}
