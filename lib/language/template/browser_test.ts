/** The template language in a browser: bundled, and run without Deno, Node or files. */
import { assertEquals } from "@std/assert";
import { createContext, runInContext } from "node:vm";

/** The globals that the language needs besides those of JavaScript. All browsers have them. */
const WEB = { TextEncoder, TextDecoder, URL, crypto, atob, btoa, setTimeout };

async function bundled(): Promise<string> {
  const entry = new URL("mod.ts", import.meta.url).pathname;
  const args = ["bundle", "--quiet", "--platform=browser", "--format=cjs", entry];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("language: evaluate, render, references, when, cron and sprig run in a browser", async () => {
  const context = createContext({ ...WEB, module: { exports: {} } });
  assertEquals(runInContext("typeof Deno + typeof process + typeof require", context), "undefinedundefinedundefined");
  runInContext(await bundled(), context);
  const ask = (source: string) => runInContext(`(({ ${NAMES} }) => String(${source}))(module.exports)`, context);
  assertEquals(ask(`evaluate("asInt(n) + 1", { n: "41" })`), "42");
  assertEquals(ask(`evaluate("sprig.sha256sum('a') | hasPrefix('ca97')")`), "true");
  assertEquals(ask(`evaluate("date('2024-03-10').In(timezone('Asia/Tokyo')).Hour()")`), "9");
  assertEquals(ask(`evaluate("'aaa' matches '^(a+)+$'")`), "true");
  assertEquals(ask(`render({ a: ["{{x.y}} {{=upper(x.y)}}"] }, { x: { y: "v" } }).a[0]`), "v V");
  assertEquals(ask(`references("{{a}} {{=b.c}}").map(({ name }) => name)`), "a,b.c");
  assertEquals(ask(`evaluateWhen("a == 'a' && 2 > 1")`), "true");
  assertEquals(ask(`parseSchedule("0 12 * * *").next(new Date(0)).toISOString()`), "1970-01-01T12:00:00.000Z");
});

const NAMES = "evaluate, render, references, evaluateWhen, parseSchedule";
