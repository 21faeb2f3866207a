/** The entries of `metadata.managedFields`. */

import type { KubeObject } from "@tiphys/kube";
import { apiVersionOf } from "@tiphys/kube/resources";
import type { Stages } from "@tiphys/base/turns";
import type { ServedResource } from "../served_resource.ts";
import {
  decodeFields,
  difference,
  EMPTY,
  encodeFields,
  type FieldSet,
  type FieldsV1,
  isEmpty,
  sameSet,
  union,
} from "./field_set.ts";
import { fieldsChanged, fieldsPresent } from "./field_values.ts";
import { shapeOf } from "./shape.ts";

/** An entry in its serialized form. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: FieldsV1;
  readonly subresource?: string;
}

/** Replaces the entries of an object. */
export function withManagedFields(object: KubeObject, entries: readonly ManagedFieldsEntry[]): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(entries.length > 0 && { managedFields: [...entries] }) } };
}

/** The writer of fields. Writers that differ in any of these values have separate entries. */
export interface Writer {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly subresource?: string | undefined;
}

/** A writer with its fields. */
export interface Ownership {
  readonly writer: Writer;
  readonly apiVersion: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Parses the entries of an object. */
export function ownershipsOf(object: Pick<KubeObject, "metadata">): Ownership[] {
  const entries = (object.metadata.managedFields ?? []) as ManagedFieldsEntry[];
  return entries.flatMap(({ manager = "", operation, apiVersion = "", time, fieldsV1, subresource }) =>
    (operation === "Apply" || operation === "Update") && fieldsV1 !== undefined
      ? [{
        writer: { manager, operation, ...(subresource && { subresource }) },
        apiVersion,
        time,
        fields: decodeFields(fieldsV1),
      }]
      : []
  );
}

/** Serializes entries. Those without fields are omitted. */
export function encodeOwnerships(ownerships: readonly Ownership[]): ManagedFieldsEntry[] {
  return ownerships.filter(({ fields }) => !isEmpty(fields)).map(({ writer, apiVersion, time, fields }) => ({
    ...writer,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFields(fields),
  }));
}

export function sameWriter(a: Writer, b: Writer): boolean {
  return a.manager === b.manager && a.operation === b.operation && (a.subresource ?? "") === (b.subresource ?? "");
}

/** The properties of a write that its entries contain. */
export interface Write {
  readonly resource: ServedResource;
  readonly writer: Writer;
  readonly now: string;
}

/**
 * The entries after a write other than an apply, in stages: each one visits all fields of a writer once. The writer
 * becomes the only owner of changed fields, and removed fields have no owner. `before` is undefined for a new object. A
 * single empty entry in `after` clears all entries.
 */
export function* managedAfterUpdate(
  before: KubeObject | undefined,
  after: KubeObject,
  { resource, writer, now }: Write,
): Stages<ManagedFieldsEntry[]> {
  if (isReset(after)) return [];
  const shape = shapeOf(resource);
  const changed = fieldsChanged(before ?? {}, after, shape);
  yield;
  const ownerships = ownershipsOf(after);
  const others: Ownership[] = [];
  for (const ownership of ownerships) {
    if (sameWriter(ownership.writer, writer)) continue;
    yield;
    const left = difference(ownership.fields, changed);
    yield;
    others.push({ ...ownership, fields: fieldsPresent(left, after, shape) });
  }
  yield;
  const mine = ownerships.find((ownership) => sameWriter(ownership.writer, writer));
  const had = mine?.fields ?? EMPTY;
  const present = fieldsPresent(had, after, shape);
  yield;
  const fields = union(present, changed);
  yield;
  const time = sameSet(had, fields) ? mine?.time : now;
  yield;
  return encodeOwnerships([...others, { writer, apiVersion: apiVersionOf(resource), time, fields }]);
}

function isReset({ metadata }: KubeObject): boolean {
  const [first, ...others] = (metadata.managedFields ?? []) as ManagedFieldsEntry[];
  return first !== undefined && others.length === 0 && Object.keys(first).length === 0;
}
