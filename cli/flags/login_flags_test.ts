import { assertEquals, assertRejects } from "@std/assert";
import { CommandError } from "../command_error.ts";
import { FakeWorld } from "../testing/fake_world.ts";
import { choiceOf, type LoginFlags } from "./login_flags.ts";

Deno.test("choiceOf: returns the values of the flags, and the contents of certificate files", async () => {
  using world = new FakeWorld({ files: { ca: "authority", crt: "certificate", key: "secret" } });
  assertEquals(await choiceOf({}, world), undefined);
  const flags = { cluster: "c", server: "https://h:1", token: "t", certificateAuthority: "ca", tlsServerName: "n" };
  const { cluster, server, token, caCert, tlsServerName } = await choiceOf(flags, world) ?? {};
  assertEquals([cluster, server, token, caCert, tlsServerName], ["c", "https://h:1", "t", "authority", "n"]);
  const { cert, key } = await choiceOf({ clientCertificate: "crt", clientKey: "key" }, world) ?? {};
  assertEquals([cert, key], ["certificate", "secret"]);
});

Deno.test("choiceOf: unsupported and contradictory flags are errors that name the flag and the alternative", async () => {
  using world = new FakeWorld();
  const refused: readonly (readonly [LoginFlags, string])[] = [
    [{ insecureSkipTlsVerify: true }, "--certificate-authority"],
    [{ clientKey: "key" }, "must be provided together"],
    [{ password: "p" }, "--password requires --username"],
    [{ username: "u", token: "t" }, "cannot be used together"],
    [{ server: "host:2746" }, "for an Argo server, use --argo-server"],
    [{ certificateAuthority: "nope" }, "--certificate-authority: could not read nope"],
  ];
  for (const [flags, words] of refused) {
    await assertRejects(() => choiceOf(flags, world), CommandError, words);
  }
});

Deno.test("--instanceid: is rejected with a server", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("list", "--instanceid", "one", "-s", "localhost:2746"), 2);
  assertEquals(world.errors, "--instanceid cannot be used with a server, which has its own instance ID\n");
});
