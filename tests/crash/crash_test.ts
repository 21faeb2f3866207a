import { assertEquals } from "@std/assert";
import { hostRuntime } from "../../local/kubelet/runtime/host.ts";
import { isAllowed } from "../../local/kubelet/runtime/testing/promises.ts";
import { surviveKills } from "./mod.ts";
import { needs } from "../../lib/base/testing/needs.ts";

Deno.test({
  ...needs(
    "namespaces",
    await isAllowed((folder) => hostRuntime({ folder })),
    "crash: a workflow continues after kills of the process, runs no pod twice and leaves no process or mount",
  ),
  async fn() {
    assertEquals(await surviveKills({ kills: 2, random: () => 0.3, runtime: "host" }), 1);
  },
});
