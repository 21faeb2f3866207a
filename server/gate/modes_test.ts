import { assertEquals, assertNotEquals } from "@std/assert";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import { type Caller, SERVER_KEY, turnOf } from "./caller.ts";
import { readAuthModes, safeModes } from "./modes.ts";

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
  Deno.test(`safeModes: ${words.join("+")} on ${address}${flag} keeps ${kept.join("+")}`, () => {
    const { modes, refusesAnonymous } = safeModes(readAuthModes(words), { address, allowAnonymous });
    assertEquals([...modes], kept);
    assertEquals(refusesAnonymous, readAuthModes(words).has("server") && !kept.includes("server"));
  });
}

Deno.test("turnOf: tokens of one subject share a turn, subjects have their own, and anonymous callers wait by namespace", () => {
  const caller = (key: string, subject: string): Caller => ({
    key,
    claims: { subject, groups: [] },
    client: new KubeClient(handlerTransport(() => Promise.resolve(new Response()))),
  });
  assertEquals(turnOf(caller("1", "ann"), "a"), turnOf(caller("2", "ann"), "b"));
  assertNotEquals(turnOf(caller("1", "ann"), "a"), turnOf(caller("2", "bob"), "a"));
  assertNotEquals(turnOf(caller("1", ""), "a"), turnOf(caller("2", ""), "a"));
  assertNotEquals(turnOf(caller(SERVER_KEY, "server"), "a"), turnOf(caller(SERVER_KEY, "server"), "b"));
});
