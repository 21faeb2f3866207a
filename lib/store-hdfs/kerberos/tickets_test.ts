import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { StoreError } from "@tiphys/model/artifact";
import { MessageError } from "../rpc_messages.ts";
import { Key, KeyMismatchError } from "./key.ts";
import { readKeytab } from "./keytab.ts";
import { readKrb5Conf } from "./krb5_conf.ts";
import { openTicketAnswer, readEncryptions, readTicketAnswer, type TicketAnswer } from "./messages.ts";
import { principalText } from "./principal.ts";
import { keytabOf, newKey, type StandInKdc, standInKdc } from "./testing/kdc.ts";
import { CACHE, FIRST17, FIRST20, KEYTAB, REFUSED } from "./testing/recorded.ts";
import { Tickets } from "./tickets.ts";

const stop = new AbortController().signal;
const ME = { realm: "R.TEST", parts: ["me"] };
const NAME_NODE = { realm: "R.TEST", parts: ["nn", "host"] };

function confOf(...kdcs: readonly (readonly [realm: string, port: number])[]) {
  return readKrb5Conf(
    `[realms]\n${kdcs.map(([realm, port]) => `${realm} = {\nkdc = 127.0.0.1:${port}\n}`).join("\n")}`,
  );
}

/** The tickets of `me`, a known client. */
function ticketsOf(kdc: StandInKdc, { now = () => Date.now(), key = kdc.keys.get("me") ?? newKey() } = {}): Tickets {
  if (!kdc.keys.has("me")) kdc.keys.set("me", key);
  kdc.keys.set("nn/host", newKey(20));
  return Tickets.ofKeytab({ conf: confOf(["R.TEST", kdc.port]), now }, keytabOf("R.TEST", { me: key }), ME);
}

Deno.test("Tickets: parses responses of MIT Kerberos with SHA-1 and SHA-2, and its request for preauthentication", () => {
  const keys = readKeytab(KEYTAB).map(({ encryption, key }) => new Key(encryption, key));
  for (const [index, bytes] of [FIRST17, FIRST20].entries()) {
    const answer = readTicketAnswer(bytes) as TicketAnswer;
    const part = openTicketAnswer(answer, keys[index]!, true);
    assertEquals([principalText(answer.client), principalText(part.service), part.nonce], [
      "recorded@EXAMPLE.TEST",
      "krbtgt/EXAMPLE.TEST@EXAMPLE.TEST",
      12345,
    ]);
    assertThrows(() => openTicketAnswer(answer, newKey(keys[index]!.number), true), KeyMismatchError);
  }
  const refused = readTicketAnswer(REFUSED);
  if (!("failure" in refused)) throw new Error("expected a refusal");
  assertEquals([refused.failure.code, readEncryptions(refused.failure.more!)], [25, [17]]);
});

Deno.test("Tickets: a truncated or modified response is a specific error, or has the same meaning", () => {
  const [key] = readKeytab(KEYTAB).map(({ encryption, key }) => new Key(encryption, key));
  const tell = (bytes: Uint8Array) => {
    try {
      const answer = readTicketAnswer(bytes);
      if ("failure" in answer) readEncryptions(answer.failure.more ?? new Uint8Array());
      else openTicketAnswer(answer, key!, true);
      return "read";
    } catch (error) {
      if (error instanceof MessageError || error instanceof KeyMismatchError) return error.name;
      throw error;
    }
  };
  for (const bytes of [FIRST17, REFUSED]) {
    for (let offset = 0; offset < bytes.length; offset++) {
      assertEquals(tell(bytes.subarray(0, offset)), "MessageError");
      for (const bit of [1, 0x20, 0x80]) {
        const changed = bytes.slice();
        changed[offset] = changed[offset]! ^ bit;
        tell(changed);
      }
    }
  }
});

Deno.test("Tickets: requests a ticket with the key of a keytab, and caches it until it expires", async () => {
  await using kdc = standInKdc("R.TEST");
  let now = Date.now();
  kdc.now = () => now;
  const tickets = ticketsOf(kdc, { now: () => now });
  const ticket = await tickets.get(NAME_NODE, stop);
  assertEquals(principalText(ticket.service), "nn/host@R.TEST");
  assertEquals(await tickets.get(NAME_NODE, stop), ticket);
  assertEquals(kdc.requestedServices, ["krbtgt/R.TEST", "krbtgt/R.TEST", "nn/host"]);
  now += 3_600_000;
  await tickets.get(NAME_NODE, stop);
  assertEquals(kdc.requestedServices.length, 6);
});

Deno.test("Tickets: requests the ticket of another realm's service there, whether configured or referred", async () => {
  await using near = standInKdc("R.TEST");
  await using far = standInKdc("FAR.TEST");
  const trust = newKey();
  near.keys.set("me", newKey());
  near.keys.set("krbtgt/FAR.TEST", trust);
  far.keys.set("krbtgt/FAR.TEST", trust);
  far.keys.set("nn/host", newKey());
  const conf = confOf(["R.TEST", near.port], ["FAR.TEST", far.port]);
  const keytab = keytabOf("R.TEST", { me: near.keys.get("me")! });
  const known = Tickets.ofKeytab({ conf, now: Date.now }, keytab, ME);
  assertEquals((await known.get({ ...NAME_NODE, realm: "FAR.TEST" }, stop)).service.realm, "FAR.TEST");
  assertEquals(near.requestedServices.at(-1), "krbtgt/FAR.TEST");
  const told = Tickets.ofKeytab({ conf, now: Date.now }, keytab, ME);
  near.referral = "FAR.TEST";
  assertEquals((await told.get(NAME_NODE, stop)).service.realm, "FAR.TEST");
  assertEquals(near.requestedServices.at(-1), "nn/host");
});

Deno.test("Tickets: a rejection names its cause", async () => {
  await using kdc = standInKdc("R.TEST");
  for (
    const [failure, words, kind] of [
      [6, "there is no principal me@R.TEST in the realm", "forbidden"],
      [14, "it knows none of the types of encryption", "final"],
      [18, "the principal me@R.TEST is locked", "forbidden"],
      [29, "it is temporarily unavailable", "transient"],
      [68, "me@R.TEST belongs to another realm", "forbidden"],
      [99, "refused: error 99: what the server says of 99", "final"],
    ] as const
  ) {
    kdc.failure = failure;
    const error = await assertRejects(() => ticketsOf(kdc).get(NAME_NODE, stop), StoreError, words);
    assertEquals(error.kind, kind);
    assertStringIncludes(error.message, `hdfs: Kerberos: the KDC of R.TEST at 127.0.0.1:${kdc.port} refused: `);
  }
  kdc.failure = undefined;
  const nobody = { ...NAME_NODE, parts: ["nn", "nowhere"] };
  await assertRejects(() => ticketsOf(kdc).get(nobody, stop), StoreError, "there is no principal nn/nowhere@R.TEST");
  const stale = ticketsOf(kdc, { key: newKey() });
  await assertRejects(() => stale.get(NAME_NODE, stop), StoreError, "pre-authentication failed: the key in");
  kdc.keys.delete("me");
  kdc.now = () => 1_800_000_000_000;
  const now = () => kdc.now() - 900_000;
  await assertRejects(
    () => ticketsOf(kdc, { now }).get(NAME_NODE, stop),
    StoreError,
    "this one is 900 s behind the one",
  );
});

Deno.test("Tickets: an unreachable server is transient, an invalid response is not", async () => {
  await using kdc = standInKdc("R.TEST");
  const key = newKey();
  kdc.keys.set("me", key);
  kdc.keys.set("nn/host", newKey());
  const tickets = (...ports: readonly number[]) =>
    Tickets.ofKeytab(
      { conf: confOf(...ports.map((port) => ["R.TEST", port] as const)), now: Date.now },
      keytabOf("R.TEST", { me: key }),
      ME,
    );
  const away = await assertRejects(() => tickets(1).get(NAME_NODE, stop), StoreError, "cannot be reached");
  assertEquals(away.kind, "transient");
  await tickets(1, kdc.port).get(NAME_NODE, stop);
  kdc.garbage = new TextEncoder().encode("HTTP/1.1 400 Bad Request");
  await assertRejects(() => tickets(kdc.port).get(NAME_NODE, stop), StoreError, "did not return a Kerberos response");
  const none = await assertRejects(() => tickets().get(NAME_NODE, stop), StoreError);
  assertEquals([none.message, none.kind], ["hdfs: Kerberos: krb5.conf names no kdc of the realm R.TEST", "final"]);
});

Deno.test("Tickets: a keytab without a usable key is an error before any request", () => {
  const realms = { conf: confOf(), now: Date.now };
  const of = (keytab: Uint8Array, client = ME) => () => Tickets.ofKeytab(realms, keytab, client);
  const mine = keytabOf("R.TEST", { me: newKey() });
  assertThrows(of(mine, { ...ME, realm: "WRONG" }), StoreError, "no key of me@WRONG; it has those of me@R.TEST");
  const old = mine.slice();
  old[old.length - 33 - 2] = 23; // The encryption type, before the length of the key.
  assertThrows(of(old), StoreError, "only keys of rc4-hmac, but an AES key is required");
  assertThrows(of(new TextEncoder().encode("BQI=")), StoreError, "the keytab is invalid");
});

Deno.test("Tickets: uses the tickets of a credential cache until they expire", async () => {
  const end = Date.UTC(2026, 10, 27, 10, 30);
  const of = (now: number) => Tickets.ofCache({ conf: confOf(), now: () => now }, CACHE);
  const service = { realm: "EXAMPLE.TEST", parts: ["nn", "localhost"] };
  const ticket = await of(end).get(service, stop);
  assertEquals([principalText(ticket.client), principalText(ticket.service)], [
    "recorded@EXAMPLE.TEST",
    "nn/localhost@EXAMPLE.TEST",
  ]);
  const late = await assertRejects(() => of(end + 48 * 3_600_000).get(service, stop), StoreError);
  assertStringIncludes(late.message, "only an expired ticket of krbtgt/EXAMPLE.TEST@EXAMPLE.TEST");
  assertThrows(() => Tickets.ofCache({ conf: confOf(), now: Date.now }, KEYTAB), StoreError, "the credential cache is");
});
