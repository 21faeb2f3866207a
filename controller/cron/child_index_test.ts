import { assertEquals } from "@std/assert";
import type { ChangeHandler, ChangeType, KubeObject } from "@tiphys/kube";
import { ChildIndex } from "./child_index.ts";

const KEY = "ns/c";

/** A copy of workflows that the test changes. */
function world() {
  const handlers: ChangeHandler<KubeObject>[] = [];
  const copy = { synced: false, onChange: (handler: ChangeHandler<KubeObject>) => void handlers.push(handler) };
  const told: string[] = [];
  const index = new ChildIndex(copy, (key) => told.push(key));
  const change = (type: ChangeType, name: string, fields: { owner?: string; phase?: string } = {}) => {
    const { owner = "u", phase = "Running" } = fields;
    const ownerReferences = [{ apiVersion: "argoproj.io/v1alpha1", kind: "CronWorkflow", name: "c", uid: owner }];
    const metadata = { name, namespace: "ns", uid: `uid-${name}`, resourceVersion: "1", ownerReferences };
    for (const handler of handlers) handler(type, { metadata, status: { phase } });
  };
  const seen = () => index.of(KEY, "u").map(({ name, isNew, isGone, phase }) => ({ name, isNew, isGone, phase }));
  return { copy, index, told, change, seen };
}

Deno.test("an object that is made after the first list is new; one that was there is not, however it changes later", () => {
  const { copy, change, seen, told } = world();
  change("added", "old");
  copy.synced = true;
  change("modified", "old", { phase: "Succeeded" });
  change("added", "young");
  change("modified", "young", { phase: "Failed" });
  assertEquals(seen(), [
    { name: "old", isNew: false, isGone: false, phase: "Succeeded" },
    { name: "young", isNew: true, isGone: false, phase: "Failed" },
  ]);
  assertEquals(new Set(told), new Set([KEY]));
});

Deno.test("a child that was deleted stays as it was seen last, until a pass has dealt with just that", () => {
  const { index, change, seen } = world();
  change("added", "a");
  const before = index.of(KEY, "u");
  change("deleted", "a", { phase: "Succeeded" });
  index.settled(KEY, "u", before);
  assertEquals(seen(), [{ name: "a", isNew: false, isGone: true, phase: "Succeeded" }]);
  index.settled(KEY, "u", index.of(KEY, "u"));
  assertEquals(seen(), []);
});

Deno.test("children of a cron workflow that had the name before are not this one's, and are forgotten when they are gone", () => {
  const { index, change, seen } = world();
  change("added", "theirs", { owner: "earlier" });
  assertEquals(seen(), []);
  change("deleted", "theirs", { owner: "earlier" });
  index.settled(KEY, "u", []);
  assertEquals(index.of(KEY, "earlier"), []);
});
