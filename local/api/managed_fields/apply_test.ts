import { assert, assertEquals, assertThrows } from "@std/assert";
import { atOnce, type Stages } from "@tiphys/base/turns";
import type { KubeObject } from "@tiphys/kube";
import { type ServedResource, ServedResources } from "../served_resource.ts";
import { applyConfiguration, ApplyConflictError, managedAfterUpdate, withManagedFields } from "./mod.ts";

const resources = new ServedResources();
const CONFIGMAPS = resources.find("", "v1", "configmaps")!;
const PODS = resources.find("", "v1", "pods")!;
const WORKFLOWS = resources.find("argoproj.io", "v1alpha1", "workflows")!;
const NOW = "2030-01-01T00:00:00Z";

function configMap(data?: Record<string, string>): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...(data && { data }) };
}

function pod(spec: unknown): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec };
}

/** Applies an object as a manager. `undefined` means that it does not exist yet. */
function apply(
  live: KubeObject | undefined,
  manager: string,
  applied: KubeObject,
  { resource = CONFIGMAPS, force = false }: { resource?: ServedResource; force?: boolean } = {},
): KubeObject {
  const write = { resource, writer: { manager, operation: "Apply" }, now: NOW, force } as const;
  const { object, managedFields } = atOnce(applyConfiguration(live, applied, write));
  return withManagedFields(object, managedFields);
}

/** Writes an object as a manager, without apply. */
function update(live: KubeObject, manager: string, next: KubeObject, resource = CONFIGMAPS): KubeObject {
  const object = { ...next, metadata: live.metadata };
  const write = { resource, writer: { manager, operation: "Update" }, now: NOW } as const;
  return withManagedFields(object, atOnce(managedAfterUpdate(live, object, write)));
}

/** The fields of each manager. */
function owners({ metadata }: KubeObject): Record<string, unknown> {
  const entries = (metadata.managedFields ?? []) as { manager: string; fieldsV1: unknown }[];
  return Object.fromEntries(entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1]));
}

Deno.test("applyConfiguration: removes fields that its manager no longer applies", () => {
  const live = apply(apply(undefined, "one", configMap({ a: "1", b: "2" })), "one", configMap({ a: "1" }));
  assertEquals(live.data, { a: "1" });
  assertEquals(owners(live), { one: { "f:data": { "f:a": {} } } });
});

Deno.test("applyConfiguration: keeps fields that others wrote", () => {
  const live = apply(undefined, "one", configMap({ a: "1" }));
  const written = update(live, "editor", configMap({ a: "1", mine: "m" }));
  const again = apply(written, "one", configMap());
  assertEquals(again.data, { mine: "m" });
  assertEquals(owners(again), { editor: { "f:data": { "f:mine": {} } } });
});

Deno.test("applyConfiguration: keeps a field with two managers until both release it", () => {
  const both = apply(apply(undefined, "one", configMap({ a: "1" })), "two", configMap({ a: "1" }));
  const left = apply(both, "one", configMap());
  assertEquals(left.data, { a: "1" });
  assertEquals(apply(left, "two", configMap()).data, undefined);
});

Deno.test("applyConfiguration: refuses to change fields of others, and names both", () => {
  const live = apply(undefined, "one", configMap({ a: "1", b: "2" }));
  const error = assertThrows(() => apply(live, "two", configMap({ a: "3", b: "2" })), ApplyConflictError);
  assertEquals(error.message, 'Apply failed with 1 conflict: conflict with "one": .data.a');
  const written = update(live, "editor", configMap({ a: "9", b: "2", c: "3" }));
  const both = assertThrows(() => apply(written, "two", configMap({ a: "3", b: "3", c: "4" })), ApplyConflictError);
  assertEquals(
    both.message,
    'Apply failed with 3 conflicts: conflicts with "editor" using v1 at 2030-01-01T00:00:00Z:\n- .data.a\n- .data.c\n' +
      'conflicts with "one":\n- .data.b',
  );
});

Deno.test("applyConfiguration: takes over fields with force", () => {
  const live = apply(undefined, "one", configMap({ a: "1", b: "2" }));
  const forced = apply(live, "two", configMap({ a: "3" }), { force: true });
  assertEquals(forced.data, { a: "3", b: "2" });
  assertEquals(owners(forced), { one: { "f:data": { "f:b": {} } }, two: { "f:data": { "f:a": {} } } });
});

Deno.test("applyConfiguration: identifies list items by their keys, and keeps their order", () => {
  const live = pod({ containers: [{ name: "b", image: "1" }, { name: "a", image: "1", env: [{ name: "X" }] }] });
  const wanted = pod({ containers: [{ name: "c", image: "3" }, { name: "a", image: "1", args: ["y"] }] });
  const merged = apply(live, "one", wanted, { resource: PODS });
  assertEquals((merged.spec as { containers: unknown }).containers, [
    { name: "b", image: "1" },
    { name: "a", image: "1", env: [{ name: "X" }], args: ["y"] },
    { name: "c", image: "3" },
  ]);
  const less = apply(merged, "one", pod({ containers: [{ name: "a", image: "1" }] }), { resource: PODS });
  assertEquals((less.spec as { containers: unknown }).containers, [
    { name: "b", image: "1" },
    { name: "a", image: "1", env: [{ name: "X" }] },
  ]);
});

Deno.test("applyConfiguration: one port number with two protocols is two items", () => {
  const ports = [{ containerPort: 53 }, { containerPort: 53, protocol: "UDP" }];
  const live = apply(undefined, "one", pod({ containers: [{ name: "a", ports }] }), { resource: PODS });
  const less = pod({ containers: [{ name: "a", ports: ports.slice(1) }] });
  assertEquals((apply(live, "one", less, { resource: PODS }).spec as { containers: unknown }).containers, [
    { name: "a", ports: ports.slice(1) },
  ]);
});

Deno.test("applyConfiguration: a list of a workflow is owned as a whole", () => {
  const workflow = (image: string) => ({ metadata: { name: "w" }, spec: { templates: [{ name: "main", image }] } });
  const live = apply(undefined, "one", workflow("a"), { resource: WORKFLOWS });
  const error = assertThrows(() => apply(live, "two", workflow("b"), { resource: WORKFLOWS }), ApplyConflictError);
  assertEquals(error.conflicts, [{ owner: '"one"', path: ".spec.templates" }]);
});

Deno.test("applyConfiguration: is idempotent, including the time of its entry", () => {
  const live = apply(undefined, "one", configMap({ a: "1" }));
  const write = { resource: CONFIGMAPS, writer: { manager: "one", operation: "Apply" }, force: false } as const;
  const again = atOnce(applyConfiguration(live, configMap({ a: "1" }), { ...write, now: "2031-01-01T00:00:00Z" }));
  assertEquals(withManagedFields(again.object, again.managedFields), live);
});

Deno.test("managedAfterUpdate: the writer owns changed fields, and removed fields have no owner", () => {
  const live = apply(undefined, "one", configMap({ a: "1", b: "2", c: "3" }));
  const written = update(live, "editor", configMap({ a: "9", b: "2", d: "4" }));
  assertEquals(owners(written), {
    one: { "f:data": { "f:b": {} } },
    editor: { "f:data": { "f:a": {}, "f:d": {} } },
  });
});

Deno.test("managedAfterUpdate: the creator owns all fields of a new object, except for those that identify it", () => {
  const write = { resource: PODS, writer: { manager: "creator", operation: "Update" }, now: NOW } as const;
  const created = pod({ containers: [{ name: "a", args: ["x", "y"] }] });
  assertEquals(atOnce(managedAfterUpdate(undefined, created, write)), [{
    manager: "creator",
    operation: "Update",
    apiVersion: "v1",
    time: NOW,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:spec": {
        ".": {},
        "f:containers": { ".": {}, 'k:{"name":"a"}': { ".": {}, "f:name": {}, "f:args": {} } },
      },
    },
  }]);
});

Deno.test("managedAfterUpdate: a single empty entry clears all owners", () => {
  const live = apply(undefined, "one", configMap({ a: "1" }));
  const emptied = { ...live, metadata: { ...live.metadata, managedFields: [{}] } };
  const write = { resource: CONFIGMAPS, writer: { manager: "editor", operation: "Update" }, now: NOW } as const;
  assertEquals(atOnce(managedAfterUpdate(live, emptied, write)), []);
});

Deno.test("managedAfterUpdate: a workflow's status is one field", () => {
  const live: KubeObject = { metadata: { name: "w" }, spec: {} };
  const next = { ...live, status: { phase: "Running", nodes: { a: { phase: "Running" }, b: {} } } };
  assertEquals(owners(update(live, "controller", next, WORKFLOWS)), { controller: { "f:status": {} } });
});

Deno.test("applyConfiguration: takes over fields that the same manager applied without server-side apply", () => {
  const live = update(apply(undefined, "one", configMap({ a: "1" })), "two", configMap({ a: "1", b: "1", c: "1" }));
  const wanted = configMap({ a: "1", b: "2" });
  const write = { resource: CONFIGMAPS, writer: { manager: "kubectl", operation: "Apply" }, now: NOW } as const;
  assertThrows(() => atOnce(applyConfiguration(live, wanted, { ...write, force: false })), ApplyConflictError);
  const { object } = atOnce(
    applyConfiguration(live, wanted, { ...write, force: false, wantedBefore: configMap({ b: "1" }) }),
  );
  assertEquals(object.data, { a: "1", b: "2", c: "1" });
});

/** The number of stages of some work, including the last one. */
function stagesOf(stages: Stages<unknown>): number {
  let count = 1;
  while (!stages.next().done) count++;
  return count;
}

Deno.test("managed fields: the stages of a write grow with the owners, so that none visits the fields of two", () => {
  const write = { resource: CONFIGMAPS, writer: { manager: "last", operation: "Update" }, now: NOW } as const;
  const apply = { ...write, writer: { manager: "last", operation: "Apply" }, force: true } as const;
  let live = configMap({ a: "1" });
  const counts: (readonly number[])[] = [];
  for (const manager of ["one", "two", "three"]) {
    live = update(live, manager, configMap({ ...live.data as Record<string, string>, [manager]: "1" }));
    const next = { ...live, data: { a: "2" } };
    counts.push([
      stagesOf(managedAfterUpdate(live, next, write)),
      stagesOf(applyConfiguration(live, configMap({ a: "2" }), apply)),
    ]);
  }
  const [first, second, third] = counts as [readonly number[], readonly number[], readonly number[]];
  first.forEach((count, index) => {
    assert(count < second[index]!, `${counts}`);
    assertEquals(third[index]! - second[index]!, second[index]! - count);
  });
});
