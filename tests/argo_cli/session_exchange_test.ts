/** A user stays logged in when Argo's server replaces ours: Argo's server accepts our sessions. */
import { assertEquals } from "@std/assert";
import { SECRETS } from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { sealSession } from "../../server/sso/session.ts";
import { loadSessionKey } from "../../server/sso/session_key.ts";
import { CLIENT_ID, CLIENT_SECRET, providerBench } from "../../server/sso/testing/login_bench.ts";
import { ARGO_HOME, ARGO_PROGRAM, startArgoServer } from "./argo_server.ts";

const LATER = new Date(Date.now() + 3_600_000);

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program",
    ARGO_PROGRAM !== undefined,
    "session: Argo's server accepts a session that our server has created",
  ),
  async fn() {
    await using opened = new AsyncDisposableStack();
    const provider = opened.use(await providerBench());
    const api = createApiServer({ storePath: ":memory:" });
    opened.defer(() => api.close());
    const admin = api.client();
    const data = { id: btoa(CLIENT_ID), secret: btoa(CLIENT_SECRET) };
    await admin.create(SECRETS, ARGO_HOME, { apiVersion: "v1", kind: "Secret", metadata: { name: "client" }, data });
    const sso = {
      issuer: provider.url,
      clientId: { name: "client", key: "id" },
      clientSecret: { name: "client", key: "secret" },
      redirectUrl: "http://127.0.0.1/oauth2/callback",
    };
    // Our server creates the key if it does not exist; Argo's uses the existing one.
    const key = await loadSessionKey(admin, ARGO_HOME);
    const settings = { sso: JSON.stringify(sso) };
    const { address } = opened.use(await startArgoServer(api, { authMode: "sso", settings }));
    const ask = async (authorization: string) => {
      const response = await fetch(`${address}/api/v1/userinfo`, { headers: { authorization } });
      return [response.status, await response.json()] as const;
    };
    assertEquals((await ask("none"))[0], 401);
    const person = { subject: "jane", groups: ["admins"], email: "jane@example.com", name: "Jane" };
    const [status, who] = await ask(await sealSession(person, LATER, key));
    assertEquals([status, who.subject, who.groups, who.email, who.name], [
      200,
      "jane",
      ["admins"],
      "jane@example.com",
      "Jane",
    ]);
    assertEquals((await ask(await sealSession(person, LATER, new Uint8Array(32))))[0], 401);
  },
});
