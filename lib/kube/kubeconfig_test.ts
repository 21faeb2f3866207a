import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { connectKubeconfig } from "./kubeconfig.ts";

Deno.test("a kubeconfig that cannot be read is named with the reason, and no line of it is told", async () => {
  const folder = await Deno.makeTempDir();
  const said = async (kubeconfig: string) =>
    (await assertRejects(() => connectKubeconfig({ kubeconfig }), Error)).message;
  try {
    const missing = `${folder}/missing`;
    assertEquals(await said(missing), `Could not read the kubeconfig ${missing}: there is no such file`);
    assertEquals(await said(folder), `Could not read the kubeconfig ${folder}: it is a folder`);
    const broken = `${folder}/broken`;
    await Deno.writeTextFile(broken, "users: [{token: canary}\n");
    const message = await said(broken);
    assertEquals([message.startsWith(`Could not read the kubeconfig ${broken}: `), /canary|\n/.test(message)], [
      true,
      false,
    ]);
    const deep = `${folder}/deep`;
    await Deno.writeTextFile(deep, `users: [{token: canary}]\ncontexts: ${"[".repeat(20_000)}`);
    assertMatch(
      await said(deep),
      /^Could not read the kubeconfig \S+deep: line 2, column \d+: [^\n]* too deep in each other[^\n]*--kubeconfig/,
    );
    const empty = `${folder}/empty`;
    await Deno.writeTextFile(empty, "{}");
    assertEquals(await said(empty), "Expected the kubeconfig to name a current-context, or --context to");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
