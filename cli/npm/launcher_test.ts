import { assertEquals } from "@std/assert";

const read = (name: string) => Deno.readTextFile(new URL(name, import.meta.url));

Deno.test("npm launchers: start Deno with the same flags", async () => {
  const shell = /exec "\$deno" (.*) "\$here/.exec(await read("launcher.sh"))?.[1]?.split(" ");
  const node = /const FLAGS = (\[.*\]);/.exec(await read("launcher.cjs"))?.[1];
  assertEquals(shell, JSON.parse(node!));
});

Deno.test("npm launchers: the shell starts Deno next to the package, else Node.js, with all arguments", async () => {
  const folder = await Deno.makeTempDir();
  const [own, deno] = [`${folder}/node_modules/tiphys`, `${folder}/node_modules/deno`];
  for (const path of [own, deno, `${folder}/bin`]) await Deno.mkdir(path, { recursive: true });
  await Deno.copyFile(new URL("launcher.sh", import.meta.url), `${own}/bin.sh`);
  await Deno.symlink("../node_modules/tiphys/bin.sh", `${folder}/bin/tiphys`);
  const program = (name: string) => `#!/bin/sh\nfor one in ${name} "$@"; do echo "$one"; done\n`;
  await Deno.writeTextFile(`${folder}/bin/node`, program("node"), { mode: 0o755 });
  const run = async () => {
    const env = { PATH: `${folder}/bin:${Deno.env.get("PATH")}` };
    const { stdout } = await new Deno.Command("sh", { args: [`${folder}/bin/tiphys`, "list", "a  b"], env }).output();
    return new TextDecoder().decode(stdout).trim().split("\n");
  };
  assertEquals(await run(), ["node", `${own}/bin.cjs`, "list", "a  b"]);
  await Deno.writeTextFile(`${deno}/deno`, program("deno"), { mode: 0o755 });
  const started = await run();
  assertEquals([started[0], started.at(-2), started.at(-1)], ["deno", "list", "a  b"]);
  await Deno.remove(folder, { recursive: true });
});
