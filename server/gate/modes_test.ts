import { assertEquals } from "@std/assert";
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
