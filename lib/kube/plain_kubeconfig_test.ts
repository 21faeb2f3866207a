import { assertEquals } from "@std/assert";
import { readPlainKubeconfig } from "./plain_kubeconfig.ts";

async function withKubeconfig(user: string, test: (path: string, folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${folder}/config`,
      `
apiVersion: v1
kind: Config
current-context: home
contexts:
- {name: home, context: {cluster: c, user: u, namespace: mine}}
- {name: away, context: {cluster: other, user: u}}
clusters:
- {name: c, cluster: {server: "https://c:6443", certificate-authority-data: ${btoa("the authority")}}}
- {name: other, cluster: {server: "https://other:6443", certificate-authority: ca.pem}}
users:
- {name: u, user: ${user}}
`,
    );
    await test(`${folder}/config`, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readPlainKubeconfig(): returns cluster, namespace and token of the current context", () =>
  withKubeconfig("{token: secret}", async (path) => {
    const login = (await readPlainKubeconfig(path, undefined))!;
    assertEquals([login.context, login.namespace, login.cluster!.server], ["home", "mine", "https://c:6443"]);
    assertEquals(await login.credentials(false), {
      headers: { authorization: "Bearer secret" },
      tls: { caCerts: ["the authority"] },
    });
  }));

Deno.test("readPlainKubeconfig(): reads files next to the kubeconfig again at every call", () =>
  withKubeconfig("{client-certificate: c.pem, client-key: k.pem}", async (path, folder) => {
    for (const [file, content] of [["ca.pem", "A"], ["c.pem", "B"], ["k.pem", "C"]] as const) {
      await Deno.writeTextFile(`${folder}/${file}`, content);
    }
    const login = (await readPlainKubeconfig(path, "away"))!;
    assertEquals((await login.credentials(false)).tls, { caCerts: ["A"], cert: "B", key: "C" });
    await Deno.writeTextFile(`${folder}/c.pem`, "renewed");
    assertEquals((await login.credentials(false)).tls?.cert, "renewed");
  }));

Deno.test("readPlainKubeconfig(): returns undefined for a user with a login provider", () =>
  withKubeconfig("{auth-provider: {name: oidc}}", async (path) => {
    assertEquals(await readPlainKubeconfig(path, undefined), undefined);
  }));
