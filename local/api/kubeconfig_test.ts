/** Tests clients that use a kubeconfig to connect to a served API, like all clients outside of this process. */

import { assertEquals, assertRejects } from "@std/assert";
import { CONFIGMAPS, KubeClient } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { createApiServer } from "./mod.ts";

/** A kubeconfig for a server, with one context per authentication method. */
function kubeconfig(server: string, caCert: string): string {
  const credential = JSON.stringify({
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    status: { token: "from-plugin" },
  });
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "echo",
    args: [credential],
    interactiveMode: "Never",
  };
  const trusted = { server, "certificate-authority-data": btoa(caCert) };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "trusted", cluster: trusted },
      { name: "unchecked", cluster: { server, "insecure-skip-tls-verify": true } },
    ],
    users: [
      { name: "token", user: { token: "from-file" } },
      { name: "plugin", user: { exec } },
      { name: "stranger", user: { token: "from-nobody" } },
    ],
    contexts: [
      { name: "token", context: { cluster: "trusted", user: "token", namespace: "mine" } },
      { name: "plugin", context: { cluster: "trusted", user: "plugin" } },
      { name: "stranger", context: { cluster: "trusted", user: "stranger" } },
      { name: "unchecked", context: { cluster: "unchecked", user: "token" } },
    ],
    "current-context": "token",
  });
}

/** Runs a test with a served API and a kubeconfig for it. */
async function withKubeconfig(test: (path: string) => Promise<void>): Promise<void> {
  const api = createApiServer({ storePath: ":memory:", tokens: ["from-file", "from-plugin"] });
  const served = await api.serve(0, { tls: true });
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, kubeconfig(served.url, served.caCert ?? ""));
  try {
    await test(path);
  } finally {
    await Deno.remove(path);
    await served.close();
    api.close();
  }
}

for (
  const [what, context] of [["the token of the current context", undefined], ["the token of an exec plugin", "plugin"]]
) {
  Deno.test(`connectKubeconfig: trusts the configured authority and authenticates with ${what}`, () =>
    withKubeconfig(async (path) => {
      const { transport, namespace } = await connectKubeconfig({ kubeconfig: path, context });
      const client = new KubeClient(transport);
      await client.create(CONFIGMAPS, "mine", { metadata: { name: "a" } });
      assertEquals(namespace, context === undefined ? "mine" : undefined);
      client.close();
    }));
}

Deno.test("connectKubeconfig: requests with an invalid token are refused", () =>
  withKubeconfig(async (path) => {
    const { transport } = await connectKubeconfig({ kubeconfig: path, context: "stranger" });
    const client = new KubeClient(transport);
    await assertRejects(() => client.list(CONFIGMAPS, "mine"), Error, "Unauthorized");
    client.close();
  }));

Deno.test("connectKubeconfig: an unknown context is an error that lists the existing ones", () =>
  withKubeconfig(async (path) => {
    await assertRejects(
      () => connectKubeconfig({ kubeconfig: path, context: "other" }),
      Error,
      `Expected a context of the kubeconfig ("token", "plugin", "stranger", "unchecked"), got "other"`,
    );
  }));

Deno.test("connectKubeconfig: refuses a cluster without certificate verification", () =>
  withKubeconfig(async (path) => {
    await assertRejects(
      () => connectKubeconfig({ kubeconfig: path, context: "unchecked" }),
      Error,
      "sets insecure-skip-tls-verify",
    );
  }));

Deno.test("connectKubeconfig: names a file that cannot be read", async () => {
  await assertRejects(
    () => connectKubeconfig({ kubeconfig: "/nonexistent/kubeconfig" }),
    Error,
    "/nonexistent/kubeconfig",
  );
});
