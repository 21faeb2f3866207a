/**
 * `deno task suite examples`: runs every file of `examples/` and `examples/tutorial/` on containers of this machine.
 * `--crds full` and `--crds minimal` put the CRDs of an installed Argo into the cluster first. Words choose files by
 * their names.
 */
import { programOptions } from "../../scripts/program_options.ts";
import { openStore } from "../../local/mod.ts";
import type { CrdSet } from "../../scripts/gen_crd.ts";
import { createCrds, foreignCrds, parseCrdSet } from "../foreign/crds.ts";
import { runCommand } from "../../scripts/command.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

const names = ["", "tutorial/"].flatMap((folder) =>
  [...Deno.readDirSync(`${ROOT}examples/${folder}`)].map(({ name }) => `${folder}${name}`)
).filter((name) => name.endsWith(".yaml"));
const { values, positionals: words } = programOptions({
  allowPositionals: true,
  options: { crds: { type: "string" } },
});
const chosen = names.sort().filter((name) => words.every((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(`No example has ${words.join(" and ")} in its name`);
  Deno.exit(2);
}
const data = await Deno.makeTempDir({ prefix: "examples-" });
let failed = 0;
try {
  if (values.crds !== undefined) await putCrds(parseCrdSet(values.crds));
  for (const name of chosen) {
    const started = performance.now();
    const command = ["task", "--quiet", "run", `examples/${name}`, "--data", data];
    const { code, stdout, stderr } = await runCommand([Deno.execPath(), ...command], { cwd: ROOT });
    console.log(`${code === 0 ? "PASS" : "FAIL"} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    if (code === 0) continue;
    failed++;
    console.log(`ended with ${code}:\n${stdout}${stderr}`.trimEnd().replaceAll(/^/gm, "  "));
  }
} finally {
  await Deno.remove(data, { recursive: true });
}
console.log(`${chosen.length - failed} passed, ${failed} failed, ${names.length - chosen.length} skipped`);
if (failed > 0) Deno.exit(1);

async function putCrds(set: CrdSet): Promise<void> {
  const api = await openStore(data, () => {});
  const client = api.client();
  try {
    await createCrds(client, await foreignCrds(set));
  } finally {
    client.close();
    api.close();
  }
}
