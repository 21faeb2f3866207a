/** `deno task suite examples`: runs every file of `examples/` the way the README does, on containers of this machine. */
import { runCommand } from "../../scripts/command.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

const names = [...Deno.readDirSync(`${ROOT}examples`)].map(({ name }) => name).filter((name) => name.endsWith(".yaml"));
const data = await Deno.makeTempDir({ prefix: "examples-" });
let failed = 0;
try {
  for (const name of names.sort()) {
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
console.log(`${names.length - failed} passed, ${failed} failed, 0 skipped`);
if (failed > 0) Deno.exit(1);
