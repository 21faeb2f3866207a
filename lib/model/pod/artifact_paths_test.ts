import { assertEquals } from "@std/assert";
import { isBaseImagePath, mountedFolders, overlappingMount, userVolumeMounts } from "./artifact_paths.ts";

const SHARED = { name: "all", mountPath: "/data" };
const INNER = { name: "inner", mountPath: "/data/inner/" };

Deno.test("userVolumeMounts: returns the mounts that all containers of a set share", () => {
  assertEquals(userVolumeMounts({ containerSet: { volumeMounts: [SHARED] } }), [SHARED]);
  assertEquals(userVolumeMounts({}), []);
});

Deno.test("overlappingMount: finds the innermost mount of a path after normalization", () => {
  const template = { container: { volumeMounts: [SHARED, INNER] } };
  assertEquals(overlappingMount(template, "/data/inner/x")?.name, "inner");
  assertEquals(overlappingMount(template, "/data//other")?.name, "all");
  assertEquals(overlappingMount(template, "/database"), undefined);
});

Deno.test("isBaseImagePath: is false in a user volume, in both layouts", () => {
  const template = { container: { volumeMounts: [SHARED] } };
  for (const isInitless of [true, false]) {
    assertEquals(isBaseImagePath(template, "/data/x", isInitless), false);
  }
});

Deno.test("isBaseImagePath: inputs are in volumes only in the legacy layout, unless they are missing", () => {
  const input = { name: "a", path: "/in/a/", optional: true };
  const ask = (artifact: object, isInitless: boolean) =>
    isBaseImagePath({ inputs: { artifacts: [{ ...input, ...artifact }] } }, "/in/a/below", isInitless);
  assertEquals(ask({ raw: { data: "x" } }, true), true);
  assertEquals(ask({ raw: { data: "x" } }, false), false);
  assertEquals(ask({}, false), true);
  assertEquals(ask({ optional: false }, false), false);
});

Deno.test("mountedFolders: returns required inputs that are certainly folders: repositories, and keys with a trailing slash", () => {
  const names = (...artifacts: object[]) => {
    const inputs = {
      artifacts: artifacts.map((artifact, index) => ({ name: `${index}`, path: `/${index}`, ...artifact })),
    };
    return mountedFolders({ container: { volumeMounts: [SHARED] }, inputs }).map(({ name }) => name);
  };
  assertEquals(names({ git: {} }, { s3: { key: "a/" } }, { gcs: { key: "a/" } }, { azure: { blob: "a/" } }), [
    "0",
    "1",
    "2",
    "3",
  ]);
  assertEquals(names({ s3: { key: "a" } }, { http: { url: "http://a/" } }, { raw: { data: "/" } }), []);
  assertEquals(names({ git: {}, optional: true }, { s3: { key: "a/" }, archive: { tar: {} } }), []);
  assertEquals(names({ git: {}, path: "/data/x" }), [], "a volume of the user is written to");
});

Deno.test("mountedFolders: omits inputs inside other inputs", () => {
  const paths = (...all: string[]) => {
    const artifacts = all.map((path) => ({ name: path, path, git: {} }));
    return mountedFolders({ inputs: { artifacts } }).map(({ path }) => path);
  };
  assertEquals(paths("/src", "/src/inner"), ["/src"]);
  assertEquals(paths("/src/inner", "/src/", "/other"), ["/src/", "/other"]);
});

Deno.test("mountedFolders: is empty if the executor is the main container", () => {
  const inputs = { artifacts: [{ name: "a", path: "/a", git: {} }] };
  assertEquals([mountedFolders({ resource: {}, inputs }), mountedFolders({ data: {}, inputs })], [[], []]);
});
