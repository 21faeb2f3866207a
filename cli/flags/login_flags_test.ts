import { assertEquals, assertRejects } from "@std/assert";
import { CommandError } from "../command_error.ts";
import { FakeWorld } from "../testing/fake_world.ts";
import { choiceOf, type LoginFlags } from "./login_flags.ts";

Deno.test("flags for parts of a kubeconfig are told as they are, certificates by what is in their files", async () => {
  using world = new FakeWorld({ files: { ca: "authority", crt: "certificate", key: "secret" } });
  assertEquals(await choiceOf({}, world), undefined);
  const flags = { cluster: "c", server: "https://h:1", token: "t", certificateAuthority: "ca", tlsServerName: "n" };
  const { cluster, server, token, caCert, tlsServerName } = await choiceOf(flags, world) ?? {};
  assertEquals([cluster, server, token, caCert, tlsServerName], ["c", "https://h:1", "t", "authority", "n"]);
  const { cert, key } = await choiceOf({ clientCertificate: "crt", clientKey: "key" }, world) ?? {};
  assertEquals([cert, key], ["certificate", "secret"]);
});

Deno.test("flags that cannot be honoured are refused by name, each with what to do instead", async () => {
  using world = new FakeWorld();
  const refused: readonly (readonly [LoginFlags, string])[] = [
    [{ insecureSkipTlsVerify: true }, "--certificate-authority"],
    [{ clientKey: "key" }, "must be provided together"],
    [{ password: "p" }, "--password needs --username"],
    [{ username: "u", token: "t" }, "cannot be used together"],
    [{ server: "host:2746" }, "an Argo server is --argo-server"],
    [{ certificateAuthority: "nope" }, "--certificate-authority: could not read nope"],
  ];
  for (const [flags, words] of refused) {
    await assertRejects(() => choiceOf(flags, world), CommandError, words);
  }
});

Deno.test("an instance of the controller is for clusters: a server refuses it", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("list", "--instanceid", "one", "-s", "localhost:2746"), 2);
  assertEquals(world.errors, "--instanceid cannot be used with a server, which has an instance of its own\n");
});
