/** The table of entry points in docs/trust.md, compared with the routes, kinds and commands in the code. */
import { assert, assertEquals } from "@std/assert";
import { ROUTES } from "../../server/table.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PAGE = await Deno.readTextFile(`${ROOT}docs/trust.md`);

/** The rows of the table, each as the texts of its cells. */
const ROWS = PAGE.slice(PAGE.indexOf("## Entry points")).split("\n").filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim())).slice(2);

function codes(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

Deno.test("docs/trust.md: every row names where its bound is enforced and a test that exists", async () => {
  assert(ROWS.length > 10);
  for (const [entry = "", , , enforced = "", proof = ""] of ROWS) {
    assert(codes(enforced).length > 0, entry);
    for (const path of codes(enforced)) await Deno.stat(`${ROOT}${path}`);
    const [file = ""] = codes(proof);
    const title = /: "(.*)"$/.exec(proof)?.[1] ?? "";
    assert((await Deno.readTextFile(`${ROOT}${file}`)).includes(title), `${entry}: ${file} has no test "${title}"`);
  }
});

Deno.test("docs/trust.md: every route of the server is an entry point of the table", () => {
  const prefixes = ROWS.flatMap(([entry = ""]) => codes(entry)).filter((code) => code.startsWith("/"));
  const missing = ROUTES.map(({ path }) => path).filter((path) => !prefixes.some((prefix) => path.startsWith(prefix)));
  assertEquals(missing, []);
});

Deno.test("docs/trust.md: every kind of custom resource is an entry point of the table", async () => {
  const named = new Set(ROWS.flatMap(([entry = ""]) => codes(entry)));
  for await (const { name } of Deno.readDir(`${ROOT}manifests/crds`)) {
    const kind = /^ {4}kind: (\w+)$/m.exec(await Deno.readTextFile(`${ROOT}manifests/crds/${name}`))?.[1];
    if (kind !== undefined) assert(named.has(kind), kind);
  }
});

Deno.test("docs/trust.md: every command is in one of the two lists", async () => {
  const listed = new Set(codes(PAGE.slice(PAGE.indexOf("Commands that read files"))));
  for await (const { name } of Deno.readDir(`${ROOT}cli/commands`)) {
    if (!name.endsWith(".ts") || name.endsWith("_test.ts")) continue;
    const command = name.slice(0, -3).replaceAll("_", "-");
    assert(listed.has(command), command);
  }
});
