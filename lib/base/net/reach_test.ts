import { assertEquals, assertRejects } from "@std/assert";
import { NetError, openNet } from "./mod.ts";
import { addressPolicy, addressPolicyOf, rejectionReason } from "./reach.ts";

for (
  const address of [
    "0.0.0.0",
    "127.0.0.1",
    "127.255.1.2",
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001::1",
  ]
) {
  Deno.test(`reach: ${address} is rejected, as an address and as the result of resolving a name`, async () => {
    const lookup = () => Promise.resolve([address]);
    await assertRejects(
      () => addressPolicy({ lookup }).addresses({ hostname: address, port: 80 }),
      NetError,
      "not permitted",
    );
    await assertRejects(() => addressPolicy({ lookup }).addresses({ hostname: "a.example", port: 80 }), NetError);
    const allowed = addressPolicy({ lookup, allowed: address.includes(":") ? `[${address}]` : address });
    assertEquals(await allowed.addresses({ hostname: "a.example", port: 80 }), [address]);
  });
}

for (const address of ["10.1.2.3", "192.168.0.1", "8.8.8.8", "2606:4700::1", "fd12:3456::1", "::ffff:8.8.8.8"]) {
  Deno.test(`reach: ${address} is permitted`, () => assertEquals(rejectionReason(address), undefined));
}

Deno.test("reach: only the permitted addresses of a name are used", async () => {
  const lookup = () => Promise.resolve(["127.0.0.1", "8.8.8.8", "169.254.169.254"]);
  assertEquals(await addressPolicy({ lookup }).addresses({ hostname: "a.example", port: 80 }), ["8.8.8.8"]);
});

Deno.test("reach: other spellings of an address are resolved before they are checked", async () => {
  for (const hostname of ["2130706433", "0x7f.1", "127.1", "0177.0.0.1", "localhost", "localhost."]) {
    await assertRejects(() => addressPolicy().addresses({ hostname, port: 80 }), NetError);
  }
});

Deno.test("reach: the API server is rejected by its names and addresses", async () => {
  const reach = addressPolicyOf((name) => name === "KUBERNETES_SERVICE_HOST" ? "10.96.0.1" : undefined);
  for (const hostname of ["10.96.0.1", "kubernetes.default.svc", "kubernetes"]) {
    await assertRejects(() => reach.addresses({ hostname, port: 443 }), NetError, "the API server");
  }
  const lookup = () => Promise.resolve(["10.96.0.1"]);
  const named = addressPolicy({ lookup, apiServer: "10.96.0.1" });
  await assertRejects(() => named.addresses({ hostname: "a.example", port: 443 }), NetError, "the API server");
});

Deno.test("reach: a rule with a port allows only that port", async () => {
  const lookup = () => Promise.resolve(["127.0.0.1"]);
  for (const [allowed, address] of [["127.0.0.1:9000", "127.0.0.1"], ["minio.local:9000", "minio.local"]] as const) {
    const reach = addressPolicy({ lookup, allowed });
    assertEquals(await reach.addresses({ hostname: "minio.local", port: 9000 }), [address]);
    await assertRejects(() => reach.addresses({ hostname: "minio.local", port: 22 }), NetError);
  }
});

Deno.test("reach: a name is resolved once for a connection, and no byte goes to a refused address", async () => {
  let connections = 0;
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    connections++;
    return new Response("here");
  });
  let lookups = 0;
  // The second response is an attack: resolving again would connect to it.
  const lookup = () => Promise.resolve(lookups++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]);
  const port = (server.addr as Deno.NetAddr).port;
  const url = new URL(`http://rebinding.example:${port}/`);
  const stop = new AbortController().signal;
  const allowed = openNet({ reach: addressPolicy({ lookup, allowed: "127.0.0.1" }) });
  assertEquals(await (await allowed.send({ method: "GET", url, stop })).text(), "here");
  allowed.close();
  assertEquals([lookups, connections], [1, 1]);
  const strict = openNet({ reach: addressPolicy({ lookup: () => Promise.resolve(["127.0.0.1"]) }) });
  for (const hostname of ["rebinding.example", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433"]) {
    const refused = new URL(`http://${hostname}:${port}/`);
    await assertRejects(() => strict.send({ method: "GET", url: refused, stop }), NetError, "not permitted");
  }
  strict.close();
  assertEquals(connections, 1);
});
