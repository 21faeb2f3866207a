/** Tests of network requests that Deno makes on its own when it runs a bundle. */
import { assertEquals } from "@std/assert";
import { BUNDLE_FLAGS, BUNDLE_VARIABLES } from "./mod.ts";

const PROGRAM = "console.log('runs'); await new Response(Deno.stdin.readable).text();";

/** A Deno process that runs until it is disposed, behind a proxy that counts connections. */
async function behindProxy(program: string, variables: Record<string, string>) {
  const proxy = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(proxy.addr as Deno.NetAddr).port}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...BUNDLE_FLAGS, program],
    env: { ...variables, HTTPS_PROXY: url },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.getReader();
  await output.read();
  let asked = 0;
  const came = proxy.accept().then((conn) => (asked++, conn.close()), () => {});
  return {
    came,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await output.cancel();
      await child.status;
      proxy.close();
      await came;
    },
  };
}

Deno.test("launcher: Deno does not check for its newest version when it runs a bundle, although it does by default", async () => {
  const program = await Deno.makeTempFile({ suffix: ".js" });
  try {
    await Deno.writeTextFile(program, PROGRAM);
    const variables = Object.fromEntries(BUNDLE_VARIABLES.map((variable) => variable.split(/=(.*)/, 2)));
    await using ours = await behindProxy(program, variables);
    // It started later: when it connects, ours would have connected before.
    await using other = await behindProxy(program, { DENO_DIR: "/dev/null" });
    await other.came;
    assertEquals(ours.asked(), 0);
  } finally {
    await Deno.remove(program);
  }
});
