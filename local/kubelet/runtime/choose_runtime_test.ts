import { assertEquals, assertRejects } from "@std/assert";
import { chooseRuntime, type RuntimeName, RUNTIMES } from "./choose_runtime.ts";
import { RuntimeUnavailable } from "./runtime.ts";
import { needs } from "../../../lib/base/testing/needs.ts";

async function withoutEngines(act: () => Promise<void>): Promise<void> {
  const names = ["DOCKER_HOST", "CONTAINER_HOST"];
  const before = names.map((name) => Deno.env.get(name));
  for (const name of names) Deno.env.set(name, "unix:///nowhere/engine.sock");
  try {
    await act();
  } finally {
    for (const [index, name] of names.entries()) {
      if (before[index] === undefined) Deno.env.delete(name);
      else Deno.env.set(name, before[index]);
    }
  }
}

async function choose(runtime: RuntimeName) {
  const folder = await Deno.makeTempDir();
  try {
    const images = { folder: `${folder}/images` };
    return await chooseRuntime({ runtime, folder, images, folders: new Map(), onNotice() {} });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const name of ["docker", "podman"] as const) {
  Deno.test({
    ...needs(
      "Linux",
      Deno.build.os === "linux",
      `chooseRuntime() reports where it searched for ${name}, and what to do`,
    ),
    fn: () =>
      withoutEngines(async () => {
        const words = `${name} cannot be used (/nowhere/engine.sock: No such file or directory)`;
        await assertRejects(() => choose(name), RuntimeUnavailable, words);
      }),
  });
}

Deno.test({
  ...needs(
    "another system than Linux",
    Deno.build.os !== "linux",
    "chooseRuntime: on other systems, reports for every back end that Linux is required",
  ),
  async fn() {
    for (const name of RUNTIMES) await assertRejects(() => choose(name), RuntimeUnavailable, "--privileged");
    assertEquals(RUNTIMES[0], "auto");
  },
});
