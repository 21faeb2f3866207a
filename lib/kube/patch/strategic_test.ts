import { assertEquals, assertThrows } from "@std/assert";
import { applyStrategicMergePatch, StrategicPatchError } from "./strategic.ts";
import { PatchWorkError } from "./patch_work.ts";

const names = (items: { name: string }[]) => items.map((item) => item.name);

Deno.test("applyStrategicMergePatch(): merges list items by key and keeps the original's order", () => {
  const original = { containers: [{ name: "wait", image: "a" }, { name: "main", image: "b", command: ["x"] }] };
  const patched = applyStrategicMergePatch(original, { containers: [{ name: "main", image: "c" }] }, "PodSpec");
  assertEquals(patched, { containers: [{ name: "wait", image: "a" }, { name: "main", image: "c", command: ["x"] }] });
});

Deno.test("applyStrategicMergePatch(): puts items that only the patch has before those only in the original", () => {
  const original = { containers: [{ name: "a" }, { name: "b" }] };
  const patched = applyStrategicMergePatch(original, { containers: [{ name: "c" }, { name: "b" }] }, "PodSpec");
  assertEquals(names(patched.containers), ["c", "a", "b"]);
});

Deno.test("applyStrategicMergePatch(): keeps duplicate keys if the original has no such list", () => {
  const twins = { containers: [{ name: "a", image: "one" }, { name: "a", image: "two" }] };
  assertEquals(applyStrategicMergePatch({}, twins, "PodSpec"), twins);
});

Deno.test("applyStrategicMergePatch(): merges nested lists: env by name, mounts by path, ports by number", () => {
  const main = {
    name: "main",
    env: [{ name: "A", value: "1" }, { name: "B", value: "2" }],
    volumeMounts: [{ mountPath: "/a", name: "one" }],
    ports: [{ containerPort: 80, name: "http" }],
  };
  const change = {
    name: "main",
    env: [{ name: "B", value: "3" }],
    volumeMounts: [{ mountPath: "/a", name: "two" }],
    ports: [{ containerPort: 80, protocol: "UDP" }],
  };
  const patched = applyStrategicMergePatch({ containers: [main] }, { containers: [change] }, "PodSpec");
  assertEquals(patched.containers[0], {
    name: "main",
    env: [{ name: "A", value: "1" }, { name: "B", value: "3" }],
    volumeMounts: [{ mountPath: "/a", name: "two" }],
    ports: [{ containerPort: 80, name: "http", protocol: "UDP" } as { containerPort: number; name: string }],
  });
});

Deno.test("applyStrategicMergePatch(): replaces lists without a key: args, and a pod's tolerations", () => {
  const original = { args: ["a", "b"], env: [{ name: "A" }] };
  assertEquals(applyStrategicMergePatch(original, { args: ["c"] }, "Container"), { args: ["c"], env: [{ name: "A" }] });
  const pod = { tolerations: [{ key: "a" }] };
  assertEquals(applyStrategicMergePatch(pod, { tolerations: [{ key: "b" }] }, "PodSpec").tolerations, [{ key: "b" }]);
});

Deno.test("applyStrategicMergePatch(): merges a workflow's tolerations by key, according to its type", () => {
  const workflow = { tolerations: [{ key: "a", operator: "Exists" }] };
  const patched = applyStrategicMergePatch(workflow, { tolerations: [{ key: "b" }] }, "WorkflowSpec");
  assertEquals(patched.tolerations.map((toleration) => toleration.key), ["b", "a"]);
});

Deno.test("applyStrategicMergePatch(): removes null fields and adds missing maps", () => {
  const patched = applyStrategicMergePatch(
    { nodeSelector: { a: "1", b: "2" } },
    { nodeSelector: { a: null }, securityContext: { runAsUser: 1, runAsGroup: null } },
    "PodSpec",
  );
  assertEquals<unknown>(patched, { nodeSelector: { b: "2" }, securityContext: { runAsUser: 1 } });
});

Deno.test("applyStrategicMergePatch(): deletes the item with $patch: delete", () => {
  const original = { volumes: [{ name: "a" }, { name: "b" }] };
  const patched = applyStrategicMergePatch(original, { volumes: [{ $patch: "delete", name: "a" }] }, "PodSpec");
  assertEquals(patched, { volumes: [{ name: "b" }] });
});

Deno.test("applyStrategicMergePatch(): replaces a whole list or object with $patch: replace", () => {
  const original = { volumes: [{ name: "a" }, { name: "b" }], nodeSelector: { a: "1" } };
  const patch = { volumes: [{ name: "c" }, { $patch: "replace" }], nodeSelector: { b: "2", $patch: "replace" } };
  assertEquals<unknown>(applyStrategicMergePatch(original, patch, "PodSpec"), {
    volumes: [{ name: "c" }],
    nodeSelector: { b: "2" },
  });
});

Deno.test("applyStrategicMergePatch(): removes fields of a union that $retainKeys omits", () => {
  const original = { volumes: [{ name: "a", emptyDir: {} }] };
  const volume = { name: "a", hostPath: { path: "/x" }, $retainKeys: ["name", "hostPath"] };
  const patched = applyStrategicMergePatch(original, { volumes: [volume] }, "PodSpec");
  assertEquals<unknown>(patched, { volumes: [{ name: "a", hostPath: { path: "/x" } }] });
});

Deno.test("applyStrategicMergePatch(): orders a list by $setElementOrder", () => {
  const original = { containers: [{ name: "a" }, { name: "b" }, { name: "c" }] };
  const patch = {
    "$setElementOrder/containers": [{ name: "c" }, { name: "a" }],
    containers: [{ name: "a", image: "x" }],
  };
  assertEquals(names(applyStrategicMergePatch(original, patch, "PodSpec").containers), ["b", "c", "a"]);
});

Deno.test("applyStrategicMergePatch(): merges finalizers as a set and removes those in $deleteFromPrimitiveList", () => {
  const original = { metadata: { finalizers: ["a", "b"] } };
  const union = applyStrategicMergePatch(original, { metadata: { finalizers: ["c"] } }, "Pod");
  assertEquals([...union.metadata.finalizers].sort(), ["a", "b", "c"]);
  const less = applyStrategicMergePatch(
    original,
    { metadata: { "$deleteFromPrimitiveList/finalizers": ["a"] } },
    "Pod",
  );
  assertEquals(less.metadata.finalizers, ["b"]);
});

Deno.test("applyStrategicMergePatch(): merges templates, their parameters and DAG tasks by name", () => {
  const original = {
    templates: [{
      name: "main",
      inputs: { parameters: [{ name: "a", value: "1" }] },
      dag: { tasks: [{ name: "t", template: "x" }] },
    }],
    arguments: { parameters: [{ name: "p", value: "1" }] },
  };
  const patched = applyStrategicMergePatch(original, {
    templates: [{
      name: "main",
      inputs: { parameters: [{ name: "a", value: "2" }] },
      dag: { tasks: [{ name: "t", when: "y" }] },
    }],
    arguments: { parameters: [{ name: "p", value: "2" }] },
  }, "WorkflowSpec");
  assertEquals<unknown>(patched, {
    templates: [{
      name: "main",
      inputs: { parameters: [{ name: "a", value: "2" }] },
      dag: { tasks: [{ name: "t", template: "x", when: "y" }] },
    }],
    arguments: { parameters: [{ name: "p", value: "2" }] },
  });
});

Deno.test("applyStrategicMergePatch(): does not modify the original and the patch", () => {
  const original = { containers: [{ name: "a", env: [{ name: "A", value: "1" }] }] };
  const patch = { containers: [{ name: "a", env: [{ name: "A", value: "2" }] }] };
  const before = structuredClone([original, patch]);
  applyStrategicMergePatch(original, patch, "PodSpec");
  assertEquals([original, patch], before as [typeof original, typeof patch]);
});

for (
  const [rule, patch, why] of [
    ["an item without its key", { containers: [{ image: "a" }] }, `to have "name", its merge key`],
    ["an unknown directive", { $patch: "explode" }, "Expected $patch to be"],
    ["a $retainKeys that forgets a field", { a: 1, $retainKeys: ["b"] }, `Expected $retainKeys to name "a"`],
    ["a list", [], "to be an object"],
  ] as const
) {
  Deno.test(`applyStrategicMergePatch(): rejects ${rule}`, () => {
    assertThrows(
      () => applyStrategicMergePatch({ containers: [{ name: "a" }] }, patch, "PodSpec"),
      StrategicPatchError,
      why,
    );
  });
}

for (
  const [rule, item] of [
    ["fields to one item", (index: number) => ({ name: "main", [`f${index}`]: 1 })],
    ["variables to one container", (index: number) => ({ name: "main", env: [{ name: `e${index}` }] })],
    [
      "items with long keys to one container",
      (index: number) => ({ name: "main", ports: [{ containerPort: `${index}` }] }),
    ],
  ] as const
) {
  Deno.test(`applyStrategicMergePatch(): rejects a patch that adds ${rule} again and again`, () => {
    const containers = Array.from({ length: 20_000 }, (_, index) => item(index));
    assertThrows(
      () => applyStrategicMergePatch({ spec: { containers: [{ name: "main" }] } }, { spec: { containers } }, "Pod"),
      StrategicPatchError,
      "is too expensive",
    );
  });
}

Deno.test("applyStrategicMergePatch(): merges as many items as fit into an object", () => {
  const env = Array.from({ length: 50_000 }, (_, index) => ({ name: `VARIABLE_${index}`, value: "x" }));
  const pod = { spec: { containers: [{ name: "main", env }] } };
  assertEquals(applyStrategicMergePatch(pod, structuredClone(pod), "Pod"), pod);
});

Deno.test("applyStrategicMergePatch(): compares the fields of $retainKeys in linear time", () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `f${index}`);
  const patch = { $retainKeys: names, ...Object.fromEntries(names.map((name) => [name, 1])) };
  assertEquals(Object.keys(applyStrategicMergePatch({ other: 1 }, patch, "Object")).length, names.length);
});

Deno.test("applyStrategicMergePatch(): treats fields with names of Object.prototype as data", () => {
  for (const field of ["__proto__", "constructor", "toString"]) {
    for (const value of [{ a: 1 }, [{ a: 1 }], "x", null]) {
      const patch = JSON.parse(`{"spec": {"${field}": ${JSON.stringify(value)}}}`);
      const patched = applyStrategicMergePatch<{ spec?: { a?: unknown } }>({}, patch, "Pod");
      const fields = value === null ? "{}" : `{"${field}":${JSON.stringify(value)}}`;
      assertEquals(JSON.stringify(patched.spec), fields);
      assertEquals(patched.spec?.a, undefined);
    }
  }
});

Deno.test("applyStrategicMergePatch(): a lower limit ends a patch that the maximum permits", () => {
  const env = Array.from({ length: 5_000 }, (_, index) => ({ name: `V${index}`, value: "x" }));
  const pod = { spec: { containers: [{ name: "main", env }] } };
  assertThrows(() => applyStrategicMergePatch(pod, pod, "Pod", 100_000), PatchWorkError);
});
