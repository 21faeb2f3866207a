import { assertEquals, assertStringIncludes } from "@std/assert";
import { type EngineKind, unsuitable } from "./find_engine.ts";

const DOCKER: EngineKind = { isPodman: false, isRootless: false, isVirtual: false };
const ROOTLESS_PODMAN: EngineKind = { isPodman: true, isRootless: true, isVirtual: false };

Deno.test("unsuitable: an engine of root requires root, to remove files of its containers", () => {
  assertEquals(unsuitable(DOCKER, 0), undefined);
  assertEquals(unsuitable({ ...DOCKER, isPodman: true }, 0), undefined);
  assertStringIncludes(unsuitable(DOCKER, 1000) ?? "", "write files as root");
});

Deno.test("unsuitable: rootless podman is suitable for its user", () => {
  assertEquals(unsuitable(ROOTLESS_PODMAN, 1000), undefined);
});

Deno.test("unsuitable: an engine whose containers have another network is refused", () => {
  for (const kind of [{ ...DOCKER, isRootless: true }, { ...DOCKER, isVirtual: true }]) {
    assertStringIncludes(unsuitable(kind, 0) ?? "", "do not reach this machine's own addresses");
  }
});
