import { assertEquals, assertThrows } from "@std/assert";
import { RuntimeUnavailable } from "../runtime.ts";
import { engineAddresses, type EngineName, parseHost } from "./engine_address.ts";

async function pathsOf(
  name: EngineName,
  env: Record<string, string>,
  files: Record<string, string> = {},
): Promise<string[]> {
  const addresses = await engineAddresses(name, {
    env: (variable) => env[variable],
    read: (path) => Promise.resolve(files[path]),
  });
  return addresses.map((address) => address.kind === "socket" ? address.path : address.url);
}

Deno.test("engineAddresses: returns only the address that the user has set", async () => {
  assertEquals(await pathsOf("docker", { DOCKER_HOST: "unix:///x/d.sock", HOME: "/h" }), ["/x/d.sock"]);
  assertEquals(await pathsOf("podman", { CONTAINER_HOST: "unix:///x/p.sock" }), ["/x/p.sock"]);
  assertEquals(await pathsOf("docker", { DOCKER_HOST: "tcp://127.0.0.1:2375" }), ["http://127.0.0.1:2375"]);
});

Deno.test("engineAddresses: follows the context that docker uses", async () => {
  const key = "f24fd3749c1368328e2b149bec149cb6795619f244c5b584e844961215dadd16";
  const files = {
    "/h/.docker/config.json": JSON.stringify({ currentContext: "colima" }),
    [`/h/.docker/contexts/meta/${key}/meta.json`]: JSON.stringify({
      Endpoints: { docker: { Host: "unix:///h/.colima/default/docker.sock" } },
    }),
  };
  assertEquals(await pathsOf("docker", { HOME: "/h" }, files), ["/h/.colima/default/docker.sock"]);
});

Deno.test("engineAddresses: returns the default sockets, for all users and for one", async () => {
  const env = { HOME: "/h", XDG_RUNTIME_DIR: "/run/user/7" };
  assertEquals(await pathsOf("docker", env), [
    "/var/run/docker.sock",
    "/run/user/7/docker.sock",
  ]);
  assertEquals(await pathsOf("podman", env), [
    "/run/user/7/podman/podman.sock",
    "/run/podman/podman.sock",
  ]);
});

Deno.test("parseHost: names the supported addresses in its error", () => {
  assertThrows(() => parseHost("ssh://me@far", "DOCKER_HOST"), RuntimeUnavailable, 'DOCKER_HOST names "ssh://me@far"');
});
