import { assertEquals, assertThrows } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { adoptNamedAttempts, attemptFolder } from "./attempt_folders.ts";

const pod: Pod = {
  metadata: { name: "p", uid: "u" },
  spec: { initContainers: [{ name: "init" }], containers: [{ name: "0" }, { name: "main" }] },
};

Deno.test("attemptFolder: the folder is named by the container's index, regardless of its name", () => {
  assertEquals(["init", "0", "main"].map((name) => attemptFolder("/p", pod, name)), [
    "/p/attempts/0",
    "/p/attempts/1",
    "/p/attempts/2",
  ]);
  assertThrows(() => attemptFolder("/p", pod, "../x"), Error, 'container "../x" is not one of pod "p"');
});

Deno.test("adoptNamedAttempts: moves logs that an earlier version stored by the containers' names", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["main", "0", "unknown"]) {
      await Deno.mkdir(`${folder}/containers/${name}`, { recursive: true });
      await Deno.writeTextFile(`${folder}/containers/${name}/0.log`, name);
    }
    await adoptNamedAttempts(folder, pod);
    await adoptNamedAttempts(folder, pod);
    assertEquals(await Deno.readTextFile(`${attemptFolder(folder, pod, "main")}/0.log`), "main");
    assertEquals(await Deno.readTextFile(`${attemptFolder(folder, pod, "0")}/0.log`), "0");
    assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name), ["attempts"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
