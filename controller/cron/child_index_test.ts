import { assertEquals } from "@std/assert";
import type { KubeObject } from "@tiphys/kube";
import type { ChangeHandler, ChangeType } from "@tiphys/kube/informers";
import { ChildIndex } from "./child_index.ts";

const KEY = "ns/c";

/** A local copy of workflows that the test changes. */
function world() {
  const handlers: ChangeHandler<KubeObject>[] = [];
  const copy = { isSynced: false, onChange: (handler: ChangeHandler<KubeObject>) => void handlers.push(handler) };
  const notified: string[] = [];
  const index = new ChildIndex(copy, (key) => notified.push(key));
  const change = (type: ChangeType, name: string, fields: { owner?: string; phase?: string } = {}) => {
    const { owner = "u", phase = "Running" } = fields;
    const ownerReferences = [{ apiVersion: "argoproj.io/v1alpha1", kind: "CronWorkflow", name: "c", uid: owner }];
    const metadata = { name, namespace: "ns", uid: `uid-${name}`, resourceVersion: "1", ownerReferences };
    for (const handler of handlers) handler(type, { metadata, status: { phase } });
  };
  const seen = () =>
    index.childrenOf(KEY, "u").map(({ name, isNew, isGone, phase }) => ({ name, isNew, isGone, phase }));
  return { copy, index, notified, change, seen };
}

Deno.test("child index: a workflow created after the first list is new, and one of the first list stays old after changes", () => {
  const { copy, change, seen, notified } = world();
  change("added", "old");
  copy.isSynced = true;
  change("modified", "old", { phase: "Succeeded" });
  change("added", "young");
  change("modified", "young", { phase: "Failed" });
  assertEquals(seen(), [
    { name: "old", isNew: false, isGone: false, phase: "Succeeded" },
    { name: "young", isNew: true, isGone: false, phase: "Failed" },
  ]);
  assertEquals(new Set(notified), new Set([KEY]));
});

Deno.test("child index: keeps the last state of a deleted child until a pass has processed it", () => {
  const { index, change, seen } = world();
  change("added", "a");
  const before = index.childrenOf(KEY, "u");
  change("deleted", "a", { phase: "Succeeded" });
  index.markProcessed(KEY, "u", before);
  assertEquals(seen(), [{ name: "a", isNew: false, isGone: true, phase: "Succeeded" }]);
  index.markProcessed(KEY, "u", index.childrenOf(KEY, "u"));
  assertEquals(seen(), []);
});

Deno.test("child index: ignores children of an earlier cron workflow with the same name, and removes them when they are deleted", () => {
  const { index, change, seen } = world();
  change("added", "theirs", { owner: "earlier" });
  assertEquals(seen(), []);
  change("deleted", "theirs", { owner: "earlier" });
  index.markProcessed(KEY, "u", []);
  assertEquals(index.childrenOf(KEY, "earlier"), []);
});
