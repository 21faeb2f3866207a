/** The controller logged the credentials of artifact repositories. */
import { assertEquals } from "@std/assert";
import { stringify } from "yaml";
import { EVENTS, type KubeObject, SECRETS } from "@tiphys/kube";
import { ControllerWorld } from "../controller/world.ts";
import { CANARY, LOCATIONS } from "./canary.ts";

const UNSAVED: ReadonlySet<string> = new Set(["git", "raw"]);

/** All texts that the controller publishes about a workflow: its whole log, events, and messages in the status. */
async function publishedText(world: ControllerWorld, name: string): Promise<string> {
  const { items } = await world.client.list<KubeObject>(EVENTS, "default");
  const { status } = await world.workflow(name);
  const messages = [
    status?.message,
    status?.conditions,
    Object.values(status?.nodes ?? {}).map(({ message }) => message),
  ];
  return JSON.stringify([world.logLines, items, messages]);
}

for (const [store, location] of Object.entries(LOCATIONS)) {
  Deno.test(`CVE-2025-62157: the controller's log, events and statuses contain no credentials of a store of kind ${store}`, async () => {
    await using world = new ControllerWorld();
    await world.client.create(SECRETS, "default", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "store" },
      stringData: { key: CANARY },
    });
    world.configure({}, { artifactDrivers: [{ name: "p", image: "plugin" }], images: { plugin: { cmd: ["serve"] } } });
    await world.startController();
    const main = {
      name: "main",
      inputs: { artifacts: [{ name: "in", path: "/in", ...location }] },
      // Artifacts cannot be saved to git and raw: a workflow that declares such an output does not start.
      outputs: { artifacts: UNSAVED.has(store) ? [] : [{ name: "out", path: "/out", ...location }] },
      container: {
        image: "busybox",
        command: ["true"],
        env: [{ name: "PASSWORD", value: CANARY }, {
          name: "KEY",
          valueFrom: { secretKeyRef: { name: "store", key: "key" } },
        }],
      },
    };
    const changes: Record<string, Record<string, unknown>> = {
      good: {},
      bad: {},
      patched: { podSpecPatch: `{"containers": [{"name": "main", "env": "${CANARY}"` },
      refused: {
        templates: [{ ...main, outputs: { artifacts: [{ name: "out", ...location, path: CANARY, mode: 99999 }] } }],
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const spec = { entrypoint: "main", templates: [main], ...change };
      await world.submit(stringify({ metadata: { name }, spec }));
      if (name === "good" || name === "bad") {
        await world.startPod(name);
        await world.endPod(name, name === "good" ? {} : { main: { exitCode: 1 } });
      }
    }
    await world.awaitEnd("bad");
    await world.awaitEnd("patched");
    await world.waitUntil(
      "the controller has processed all workflows",
      async () => (await world.workflow("refused")).status?.phase !== undefined,
    );
    for (const name of Object.keys(changes)) {
      const text = await publishedText(world, name);
      assertEquals(
        text.includes(CANARY),
        false,
        text.slice(Math.max(0, text.indexOf(CANARY) - 300), text.indexOf(CANARY) + 100),
      );
    }
  });
}
