import { assertEquals, assertThrows } from "@std/assert";
import { endpointAddressPolicy, endpointsOf, parseRegistries } from "./registries.ts";

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

Deno.test("endpointsOf: returns mirrors in order, and the registry itself last", () => {
  assertEquals(urls("docker.io").slice(0, 2), ["http://127.0.0.1:5000", "https://second.example"]);
  assertEquals(urls("docker.io").length, 3);
});

Deno.test("endpointsOf: the entry * applies to registries without an entry", () => {
  assertEquals(urls("ghcr.example"), ["https://any.example", "https://ghcr.example"]);
});

Deno.test("endpointsOf: a registry that is configured with http is never accessed over TLS", () => {
  assertEquals(urls("plain.example:80"), ["http://plain.example:80"]);
});

Deno.test("endpointsOf: a registry on this machine uses plain HTTP by default", () => {
  assertEquals(endpointsOf("localhost:5000", {}), [
    { url: "http://localhost:5000", registry: "localhost:5000", isConfigured: false },
  ]);
  assertEquals(endpointsOf("127.0.0.1:5000", {}), [
    { url: "http://127.0.0.1:5000", registry: "127.0.0.1:5000", isConfigured: false },
  ]);
});

Deno.test("endpointsOf: credentials and certificates belong to their server", () => {
  assertEquals(endpointsOf("docker.io", SETTINGS)[1], {
    url: "https://second.example",
    registry: "second.example",
    credentials: { kind: "password", username: "me", password: "x" },
    caFile: "/ca.pem",
    isConfigured: true,
  });
});

Deno.test("parseRegistries: reports the position of an error", () => {
  assertThrows(() => parseRegistries("mirrors:\n  a: {endpoints: []}", "r.yaml"), Error, "r.yaml: mirrors.a");
  assertThrows(() => parseRegistries("a: [", "r.yaml"), Error, "r.yaml:1:");
});

Deno.test("endpointAddressPolicy: loopback and link-local addresses are permitted only if the image or the settings have them", async () => {
  const [hub] = endpointsOf("docker.io", {});
  const [local] = endpointsOf("registry.localhost:5000", {});
  const [mirror] = endpointsOf("docker.io", { mirrors: { "*": { endpoint: ["http://169.254.7.7:5000"] } } });
  const rows: readonly [reach: ReturnType<typeof endpointAddressPolicy>, hostname: string, isReached: boolean][] = [
    [endpointAddressPolicy(hub!), "127.0.0.1", false],
    [endpointAddressPolicy(hub!), "localhost", false],
    [endpointAddressPolicy(hub!), "169.254.169.254", false],
    [endpointAddressPolicy(hub!), "10.0.0.1", true],
    [endpointAddressPolicy(hub!, "127.0.0.1"), "127.0.0.1", true],
    [endpointAddressPolicy(local!), "127.0.0.1", true],
    [endpointAddressPolicy(local!), "registry.localhost", true],
    [endpointAddressPolicy(local!), "169.254.169.254", false],
    [endpointAddressPolicy(mirror!), "169.254.7.7", true],
    [endpointAddressPolicy(mirror!), "127.0.0.1", false],
  ];
  for (const [reach, hostname, isReached] of rows) {
    const addresses = reach.addresses({ hostname, port: 5000 });
    assertEquals(await addresses.then(() => true, () => false), isReached, hostname);
  }
});
