import { assertEquals, assertThrows } from "@std/assert";
import { NAMESPACES, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { ServedResources } from "../served_resource.ts";
import { collectionName, JournalError, Store } from "../store.ts";
import { ensureNamespace } from "./namespaces.ts";

Deno.test("namespaces: every namespace has its service account, even if the disk becomes full at any point", () => {
  for (let writes = 0; writes < 3; writes++) {
    let room = writes;
    const put = () => {
      if (room-- === 0) throw new JournalError("the disk is full");
    };
    const store = new Store({ load: () => ({ version: 1, objects: [] }), put, remove() {}, close() {} });
    const context = { store, resources: new ServedResources(), now: () => new Date() };
    if (writes < 2) assertThrows(() => ensureNamespace(context, "n"), JournalError);
    room = Infinity;
    ensureNamespace(context, "n");
    const made = [NAMESPACES, SERVICE_ACCOUNTS].map((resource) => store.list(collectionName(resource)).length);
    assertEquals(made, [1, 1], `room for ${writes} writes`);
  }
});
