import { assertEquals, assertNotEquals } from "@std/assert";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import { type Caller, queueKeyOf, SERVER_KEY } from "./caller.ts";
import { admittedModes, readAuthModes } from "./modes.ts";

const rows: readonly (readonly [words: string[], address: string, allowAnonymous: boolean, kept: string[]])[] = [
  [["server"], "127.0.0.1", false, ["server"]],
  [["server"], "0.0.0.0", true, ["server"]],
  [["server"], "0.0.0.0", false, ["client"]],
  [["hybrid"], "0.0.0.0", false, ["client"]],
  [["hybrid"], "::1", false, ["client", "server"]],
  [["hybrid", "sso"], "10.0.0.1", false, ["client", "sso"]],
  [["server", "sso"], "0.0.0.0", false, ["sso"]],
  [["client"], "0.0.0.0", false, ["client"]],
];

for (const [words, address, allowAnonymous, kept] of rows) {
  const flag = allowAnonymous ? " with --allow-anonymous" : "";
  Deno.test(`admittedModes: ${words.join("+")} on ${address}${flag} keeps ${kept.join("+")}`, () => {
    const { modes, refusesAnonymous } = admittedModes(readAuthModes(words), { address, allowAnonymous });
    assertEquals([...modes], kept);
    assertEquals(refusesAnonymous, readAuthModes(words).has("server") && !kept.includes("server"));
  });
}

Deno.test("queueKeyOf: tokens of one subject share a turn, subjects have their own, and anonymous callers wait by address", () => {
  const caller = (key: string, subject: string, address?: string): Caller => ({
    key,
    ...(address && { address }),
    claims: { subject, groups: [] },
    client: new KubeClient(handlerTransport(() => Promise.resolve(new Response()))),
  });
  assertEquals(queueKeyOf(caller("1", "ann")), queueKeyOf(caller("2", "ann")));
  assertNotEquals(queueKeyOf(caller("1", "ann")), queueKeyOf(caller("2", "bob")));
  assertNotEquals(queueKeyOf(caller("1", "")), queueKeyOf(caller("2", "")));
  const anonymous = (address: string) => queueKeyOf(caller(SERVER_KEY, "server", address));
  assertEquals(anonymous("10.0.0.1"), anonymous("10.0.0.1"));
  assertNotEquals(anonymous("10.0.0.1"), anonymous("10.0.0.2"));
});
