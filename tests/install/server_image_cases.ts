/** The server with the flags of its image: every route, logins, webhooks, TLS, gRPC, and shutdown. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "node:tls";
import { CONFIGMAPS, NAMESPACES, SECRETS, WORKFLOW_EVENT_BINDINGS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { ownCertificate } from "@tiphys/base/x509";
import { serverComponents } from "../../scripts/gen_server.ts";
import { inNamespace, NAMESPACE } from "../../scripts/manifest_objects.ts";
import { bodyOf, createObjects, objectOf, pathOf } from "../../server/gate/testing/matrix.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  logInAt,
  providerBench,
  ruledAccount,
} from "../../server/sso/testing/login_bench.ts";
import { ROUTES } from "../../server/table.ts";
import { GrpcClient } from "../../server/testing/grpc_client.ts";
import { NAMESPACE as TENANT } from "../../server/testing/server_bench.ts";
import { awaitFact } from "../await_fact.ts";
import { accounts, DENO_ERROR, startServer, withCluster } from "./image_program.ts";
import type { EmbeddedWithRoles } from "./embedded_account.ts";

/** Configures a login provider, and creates the Secret that the setting names. */
async function configureLogin({ admin }: EmbeddedWithRoles, issuer: string, rootCA?: string): Promise<void> {
  const sso = {
    issuer,
    ...(rootCA !== undefined && { rootCA }),
    clientId: { name: "client", key: "id" },
    clientSecret: { name: "client", key: "secret" },
  };
  await admin.patch(CONFIGMAPS, NAMESPACE, "workflow-controller-configmap", { data: { sso: JSON.stringify(sso) } });
  await admin.create(SECRETS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "client" },
    data: { id: btoa(CLIENT_ID), secret: btoa(CLIENT_SECRET) },
  });
}

/** Configures a webhook client, and an event binding that submits a workflow for each of its events. */
async function configureWebhook(cluster: EmbeddedWithRoles, secret: string): Promise<void> {
  const { admin } = cluster;
  await ruledAccount(cluster, "hooks", {}, { namespace: NAMESPACE, token: cluster.adminToken });
  await admin.create(SECRETS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "argo-workflows-webhook-clients" },
    data: { hooks: btoa(`type: gitlab\nsecret: ${secret}`) },
  });
  await admin.create(WORKFLOW_TEMPLATES, NAMESPACE, objectOf("WorkflowTemplate", "there"));
  await admin.create(WORKFLOW_EVENT_BINDINGS, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowEventBinding",
    metadata: { name: "hooks" },
    spec: { event: { selector: "true" }, submit: { workflowTemplateRef: { name: "there" } } },
  } as never);
}

Deno.test("server image: serves every route, users who logged in, and webhooks", () =>
  withCluster(async (cluster) => {
    await using provider = await providerBench();
    const { sso, events } = serverComponents();
    await cluster.apply(accounts([...sso, ...events].map(inNamespace)));
    await cluster.admin.create(NAMESPACES, undefined, { metadata: { name: TENANT } } as never);
    await configureLogin(cluster, provider.url);
    await configureWebhook(cluster, "s3cret");
    await createObjects(cluster as never);
    await using server = await startServer(cluster, ["--secure=false", "--auth-mode=client", "--auth-mode=sso"]);
    const problems: string[] = [];
    for (const name of ["there", "absent"]) {
      for (const route of ROUTES) {
        const left = new AbortController();
        const answer = await fetch(`${server.url}${pathOf(route, name)}`, {
          method: route.method,
          headers: { authorization: `Bearer ${cluster.adminToken}` },
          ...(route.maxBody > 0 && { body: JSON.stringify(bodyOf(route, name)) }),
          signal: left.signal,
        });
        const text = route.isStream ? "" : await answer.text();
        left.abort();
        if (answer.status === 401 || answer.status === 403 || answer.status === 500 || DENO_ERROR.test(text)) {
          problems.push(`${route.id}: ${answer.status} ${text}`);
        }
      }
    }
    assertEquals(problems, [], server.output());

    const session = await logInAt(server.url);
    const list = `${server.url}/api/v1/workflows/${NAMESPACE}`;
    const seen = await fetch(list, { headers: { authorization: session } });
    assertEquals([seen.status, typeof await seen.json()], [200, "object"], `${session} ${server.output()}`);

    const sent = await fetch(`${server.url}/api/v1/events/${NAMESPACE}/d`, {
      method: "POST",
      headers: { "x-gitlab-event": "Merge Request Hook", "x-gitlab-token": "s3cret" },
      body: '{"a":1}',
    });
    assertEquals([sent.status, await sent.text()], [200, "{}"], server.output());
    const made = async () => (await cluster.admin.list(WORKFLOWS, NAMESPACE)).items.length > 0;
    await awaitFact("the event has submitted a workflow", made, { seconds: 120 });

    assertEquals(DENO_ERROR.exec(server.output())?.[0], undefined, server.output());
    assertEquals([CLIENT_SECRET, "s3cret"].filter((secret) => server.output().includes(secret)), []);
    assertEquals(await server.end(), 0, server.output());
  }));

/** The certificate of a server in PEM format. */
async function certificateOf(port: number): Promise<string> {
  const shown = Promise.withResolvers<Uint8Array>();
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
    shown.resolve(socket.getPeerCertificate().raw);
    socket.destroy();
  });
  socket.on("error", shown.reject);
  return `-----BEGIN CERTIFICATE-----\n${(await shown.promise).toBase64()}\n-----END CERTIFICATE-----\n`;
}

Deno.test("server image: creates its certificate, serves HTTP and gRPC over TLS, and exits on SIGTERM", () =>
  withCluster(async (cluster) => {
    await using server = await startServer(cluster, []);
    const port = Number(new URL(server.url).port);
    const rootCertificate = await certificateOf(port);
    using client = Deno.createHttpClient({ caCerts: [rootCertificate] });
    const headers = { authorization: `Bearer ${cluster.adminToken}` };
    const created = await fetch(`https://localhost:${port}/api/v1/workflows/${NAMESPACE}`, {
      client,
      method: "POST",
      headers,
      body: JSON.stringify({ workflow: objectOf("Workflow", "there") }),
    });
    assertEquals(created.status, 200);
    assertStringIncludes(await created.text(), '"there"');

    using grpc = new GrpcClient(`127.0.0.1:${port}`, { rootCertificate });
    const token = cluster.adminToken;
    const { answer } = await grpc.call("/workflow.WorkflowService/ListWorkflows", { namespace: NAMESPACE }, { token });
    assertStringIncludes(JSON.stringify(answer), '"there"');
    const { code } = await grpc.refusal("/workflow.WorkflowService/ListWorkflows", { namespace: NAMESPACE });
    assertEquals(code, 16);
    // An open watch does not delay the shutdown.
    const watched = grpc.stream("/workflow.WorkflowService/WatchWorkflows", { namespace: NAMESPACE }, { token });
    assert(JSON.stringify((await watched.next()).value).includes('"there"'));
    assertEquals(await server.end(), 0, server.output());
    assertEquals(DENO_ERROR.exec(server.output())?.[0], undefined, server.output());
    await watched.return(undefined);
  }));

Deno.test("server image: trusts the certificate authority in the setting of a login provider", () =>
  withCluster(async (cluster) => {
    await using opened = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    opened.defer(() => Deno.remove(folder, { recursive: true }));
    const { cert, key } = ownCertificate("provider", new Date());
    await Deno.writeTextFile(`${folder}/key`, key);
    await Deno.writeTextFile(`${folder}/cert`, cert);
    const provider = opened.use(await providerBench(`${folder}/key`, `${folder}/cert`));
    const issuer = provider.url.replace("127.0.0.1", "localhost");
    provider.server.issuer.url = issuer;
    await cluster.apply(accounts(serverComponents().sso.map(inNamespace)));
    await configureLogin(cluster, issuer, cert);
    await using server = await startServer(cluster, ["--secure=false", "--auth-mode=sso"]);
    const begun = await fetch(`${server.url}/oauth2/redirect`, { redirect: "manual" });
    await begun.body?.cancel();
    assertEquals(new URL(begun.headers.get("location") ?? "").origin, issuer, server.output());
  }));
