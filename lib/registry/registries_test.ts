import { assertEquals, assertThrows } from "@std/assert";
import { endpointsOf, parseRegistries } from "./registries.ts";

const SETTINGS = parseRegistries(
  `
mirrors:
  docker.io:
    endpoint: ["http://127.0.0.1:5000/", "https://second.example"]
  "plain.example:80":
    endpoint: ["http://plain.example:80"]
  "*":
    endpoint: ["https://any.example"]
configs:
  second.example:
    auth: { username: me, password: "x" }
    tls: { ca_file: /ca.pem }
`,
  "registries.yaml",
);

function urls(registry: string): string[] {
  return endpointsOf(registry, SETTINGS).map(({ url }) => url);
}

Deno.test("endpointsOf(): mirrors are asked in their order, and the registry itself last", () => {
  assertEquals(urls("docker.io").slice(0, 2), ["http://127.0.0.1:5000", "https://second.example"]);
  assertEquals(urls("docker.io").length, 3);
});

Deno.test("endpointsOf(): an entry * serves the registries that have none of their own", () => {
  assertEquals(urls("ghcr.example"), ["https://any.example", "https://ghcr.example"]);
});

Deno.test("endpointsOf(): a registry named with http is spoken to without TLS only", () => {
  assertEquals(urls("plain.example:80"), ["http://plain.example:80"]);
});

Deno.test("endpointsOf(): a registry on this machine speaks plain HTTP unasked", () => {
  assertEquals(endpointsOf("localhost:5000", {}), [{ url: "http://localhost:5000", registry: "localhost:5000" }]);
  assertEquals(endpointsOf("127.0.0.1:5000", {}), [{ url: "http://127.0.0.1:5000", registry: "127.0.0.1:5000" }]);
});

Deno.test("endpointsOf(): credentials and certificates belong to the server that is asked", () => {
  assertEquals(endpointsOf("docker.io", SETTINGS)[1], {
    url: "https://second.example",
    registry: "second.example",
    credentials: { kind: "password", username: "me", password: "x" },
    caFile: "/ca.pem",
  });
});

Deno.test("parseRegistries() names the place of what is wrong", () => {
  assertThrows(() => parseRegistries("mirrors:\n  a: {endpoints: []}", "r.yaml"), Error, "r.yaml: mirrors.a");
  assertThrows(() => parseRegistries("a: [", "r.yaml"), Error, "r.yaml:1:");
});
