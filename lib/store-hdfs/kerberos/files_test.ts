import { assertEquals, assertThrows } from "@std/assert";
import { MessageError } from "../rpc_messages.ts";
import { readCredentialCache } from "./credential_cache.ts";
import { readKeytab } from "./keytab.ts";
import { readKrb5Conf } from "./krb5_conf.ts";
import { principalText, readPrincipal } from "./principal.ts";
import { CACHE, KEYTAB } from "./testing/recorded.ts";

Deno.test("readKeytab() reads a file of kadmin and skips removed entries", () => {
  const entries = readKeytab(KEYTAB);
  assertEquals(
    entries.map((
      { principal, version, encryption, key },
    ) => [principalText(principal), version, encryption, key.length]),
    [["recorded@EXAMPLE.TEST", entries[0]!.version, 17, 16], ["recorded@EXAMPLE.TEST", entries[0]!.version, 20, 32]],
  );
  const removed = new Uint8Array([...KEYTAB.subarray(0, 2), 255, 255, 255, 253, 1, 2, 3, ...KEYTAB.subarray(2)]);
  assertEquals(readKeytab(removed), entries);
});

Deno.test("readCredentialCache() reads a file of kinit without configuration entries", () => {
  const { client, tickets } = readCredentialCache(CACHE);
  assertEquals(principalText(client), "recorded@EXAMPLE.TEST");
  assertEquals(tickets.map(({ server }) => principalText(server)), [
    "krbtgt/EXAMPLE.TEST@EXAMPLE.TEST",
    "nn/localhost@EXAMPLE.TEST",
  ]);
  assertEquals(new Date(tickets[0]!.end).getUTCFullYear(), 2026);
});

Deno.test("an invalid or truncated file is a MessageError or has fewer entries", () => {
  for (const read of [readKeytab, readCredentialCache]) {
    assertThrows(() => read(new TextEncoder().encode("not this")), MessageError, "its first bytes are invalid");
    assertThrows(() => read(new Uint8Array()), MessageError);
  }
  for (const [bytes, read] of [[KEYTAB, readKeytab], [CACHE, readCredentialCache]] as const) {
    let [failed, passed] = [0, 0];
    for (let size = 0; size < bytes.length; size++) {
      try {
        read(bytes.subarray(0, size));
        passed++;
      } catch (error) {
        if (!(error instanceof MessageError)) throw error;
        failed++;
      }
    }
    // A truncated file is valid only if it is cut between entries.
    assertEquals(passed < 8 && failed > 100, true);
  }
  // A count that exceeds the file is rejected.
  assertThrows(() => readKeytab(Uint8Array.of(5, 2, 0, 0, 0, 4, 255, 255, 0, 0)), MessageError);
});

Deno.test("readKrb5Conf() reads realms, their servers, and the realms of hosts", () => {
  const conf = readKrb5Conf(`
# a comment
include /etc/other.conf
[libdefaults]
  default_realm = A.TEST
  udp_preference_limit = 1
[realms]
  A.TEST = {
    kdc = one.a.test:8888
    kdc = tcp/two.a.test
    kdc = https://proxy.a.test/KdcProxy
    kdc = "[::1]:750"
    admin_server = one.a.test
    auth_to_local_names = {
      kdc = nobody
    }
  }
  B.TEST = {
  }
[domain_realm]
  .a.test = A.TEST
  b.test = B.TEST
  Odd.a.test = B.TEST
`);
  assertEquals(conf.defaultRealm, "A.TEST");
  assertEquals(conf.kdcs("A.TEST"), [
    { hostname: "one.a.test", port: 8888 },
    { hostname: "two.a.test", port: 88 },
    { hostname: "::1", port: 750 },
  ]);
  assertEquals([conf.kdcs("B.TEST"), conf.kdcs("C.TEST")], [[], []]);
  assertEquals(
    ["nn.a.test", "NN.x.a.test", "odd.a.test", "b.test", "x.b.test", "a.tests", "c.test"].map((host) =>
      conf.realmOf(host)
    ),
    ["A.TEST", "A.TEST", "B.TEST", "B.TEST", "B.TEST", undefined, undefined],
  );
  assertEquals(readKrb5Conf("}\n[\n= 1\n{").defaultRealm, undefined);
});

Deno.test("readPrincipal() reads names with and without a realm", () => {
  assertEquals(readPrincipal("nn/host@R"), { parts: ["nn", "host"], realm: "R" });
  assertEquals(readPrincipal("nn/_HOST"), { parts: ["nn", "_HOST"], realm: undefined });
});
