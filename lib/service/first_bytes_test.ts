import { assertEquals } from "@std/assert";
import { firstBytes } from "./first_bytes.ts";

const line = (text: string) => ({ text, isRest: false });

async function texts(max: number | undefined, hidden = 0): Promise<string[]> {
  const log = async function* () {
    yield [line("Tab"), line("Tcd\u00e9")];
    yield [line("Tf")];
  };
  return (await Array.fromAsync(firstBytes(log(), max, () => hidden))).flat().map(({ text }) => text);
}

Deno.test("firstBytes: returns up to `max` bytes of a log and may cut the last line", async () => {
  assertEquals(await texts(undefined), ["Tab", "Tcd\u00e9", "Tf"]);
  assertEquals(await texts(4), ["Tab"]);
  assertEquals(await texts(6), ["Tab", "Tc"]);
  assertEquals(await texts(100), ["Tab", "Tcd\u00e9", "Tf"]);
});

Deno.test("firstBytes: omits a character that does not fit, and does not count hidden prefixes", async () => {
  assertEquals(await texts(8), ["Tab", "Tcd"]);
  assertEquals(await texts(3, 1), ["Tab"]);
  assertEquals(await texts(4, 1), ["Tab", "Tc"]);
});

Deno.test("firstBytes: counts the end of a line in several pieces once", async () => {
  const log = async function* () {
    yield [line("ab"), { text: "cd", isRest: true }];
    yield [{ text: "ef", isRest: true }, line("gh")];
  };
  const first = async (max: number) => (await Array.fromAsync(firstBytes(log(), max))).flat().map(({ text }) => text);
  assertEquals(await first(5), ["ab", "cd", "e"]);
  assertEquals(await first(7), ["ab", "cd", "ef"]);
  assertEquals(await first(8), ["ab", "cd", "ef", "g"]);
});
