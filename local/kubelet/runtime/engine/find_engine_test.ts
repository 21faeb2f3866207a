import { assertEquals, assertStringIncludes } from "@std/assert";
import { type EngineKind, whyUnsuitable } from "./find_engine.ts";

const DOCKER: EngineKind = { isPodman: false, isRootless: false, isVirtual: false };
const ROOTLESS_PODMAN: EngineKind = { isPodman: true, isRootless: true, isVirtual: false };

Deno.test("whyUnsuitable: an engine of root requires root, to remove files of its containers", () => {
  assertEquals(whyUnsuitable(DOCKER, 0), undefined);
  assertEquals(whyUnsuitable({ ...DOCKER, isPodman: true }, 0), undefined);
  assertStringIncludes(whyUnsuitable(DOCKER, 1000) ?? "", "write files as root");
});

Deno.test("whyUnsuitable: rootless podman is suitable for its user", () => {
  assertEquals(whyUnsuitable(ROOTLESS_PODMAN, 1000), undefined);
});

Deno.test("whyUnsuitable: an engine whose containers have another network is refused", () => {
  for (const kind of [{ ...DOCKER, isRootless: true }, { ...DOCKER, isVirtual: true }]) {
    assertStringIncludes(whyUnsuitable(kind, 0) ?? "", "do not reach this machine's own addresses");
  }
});
