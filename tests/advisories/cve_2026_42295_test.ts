/** The executor logged the credentials of artifact stores, so every user with access to logs could read them. */
import { assertEquals } from "@std/assert";
import { wait } from "../../executor/before_main/legacy.ts";
import { writeExitCode } from "../../executor/process/exit_code.ts";
import { supervisor } from "../../executor/before_main/supervisor.ts";
import type { PodTemplate } from "../../executor/pod/template.ts";
import { ownPod } from "../../executor/testing/own_pod.ts";
import type { WorldOptions } from "../../executor/testing/world.ts";
import { containerFolder } from "../../executor/world.ts";
import { StoreError } from "@tiphys/model/artifact";
import { ENV, PATH } from "@tiphys/base/constants";
import { CANARY, LOCATIONS } from "./canary.ts";

/** Replaces the driver of a plugin, which would wait minutes for the plugin's socket. */
function worldOptions(store: string): Pick<WorldOptions, "driverFor"> {
  return store === "plugin" ? { driverFor: () => Promise.reject(new StoreError("nobody listens", "final")) } : {};
}

for (const [store, location] of Object.entries(LOCATIONS)) {
  Deno.test(`CVE-2026-42295: the executor's log and reports contain no credentials of a store of kind ${store}`, async () => {
    const artifact = { name: "a", path: "/data/a", ...location };
    const template: PodTemplate = {
      container: { volumeMounts: [{ name: "data", mountPath: "/data" }] },
      inputs: { artifacts: [{ ...artifact, name: "in", path: "/in" }] },
      outputs: { artifacts: [artifact] },
      archiveLocation: { archiveLogs: true, ...location },
    };
    const env = { [ENV.initlessPod]: "true", SECRET: CANARY, EXECUTOR_RETRY_BACKOFF_STEPS: "1" };
    for (const run of [supervisor, wait]) {
      await using pod = await ownPod(template, env, { container: "supervisor", ...worldOptions(store) });
      const { world } = pod;
      await world.write(`${PATH.secrets}/store/key`, CANARY);
      await world.write(`${PATH.mainFileSystem}/data/a`, "content");
      await world.write(`${PATH.containers}/main/combined`, "printed");
      world.files.makeFolder(containerFolder(world, "main"));
      writeExitCode(world, "main", 0);
      await run(world);
      const said = JSON.stringify([world.logged, await world.termination(), await world.read(PATH.status)]);
      assertEquals(said.includes(CANARY), false, said);
      // Guards against an empty log: it contains at least the driver's error.
      assertEquals(world.logged.length > 0, true);
    }
  });
}
