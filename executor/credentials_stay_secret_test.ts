/**
 * Tests that credentials of artifact stores never leak. Every secret that a location can refer to, and every field that
 * people put a secret into, is sent to a server that echoes its request in its error. None of them may appear in the
 * logs, messages or files of the executor.
 */
import { assert, assertEquals } from "@std/assert";
import type { WorkflowArtifactGCTask } from "@tiphys/model/api";
import { secretSelectors, type StoreName, STORES } from "@tiphys/model/artifact/stores";
import { API_VERSION, ENV, LABEL, PATH } from "@tiphys/base/constants";
import { WORKFLOW_ARTIFACT_GC_TASKS, WORKFLOWS } from "@tiphys/kube";
import { saveArtifacts } from "./after_main/save_artifacts.ts";
import { loadInputs } from "./before_main/stage.ts";
import { messageOf, toExecutorError, writeTerminationMessage } from "./failure.ts";
import { deleteArtifacts } from "./garbage/delete_artifacts.ts";
import { ownPod } from "./testing/own_pod.ts";
import { isObject } from "@tiphys/base/fields_of";

type Settings = Readonly<Record<string, unknown>>;

/** The prefix of each secret's value. The name of its field follows. */
const CANARY = "canary7d3e";
const NEVER = new AbortController().signal;

const pick = (key: string) => ({ name: "canary", key });
const secretInField = (field: string) => `${CANARY}-by-hand-${field}`;
const basic = { usernameSecret: pick("user"), passwordSecret: pick("password") };

/** Locations of each store that together use each of its secrets; `at` is the address of the server. */
const LOCATIONS: { readonly [Store in StoreName]: (address: string) => readonly Settings[] } = {
  s3: (address) => [
    {
      endpoint: address,
      insecure: true,
      bucket: "b",
      key: "k",
      region: "r",
      accessKeySecret: pick("access"),
      secretKeySecret: pick("secret"),
      sessionTokenSecret: pick("session"),
      encryptionOptions: { enableEncryption: true, serverSideCustomerKeySecret: pick("customer") },
      caSecret: pick("ca"),
    },
    {
      endpoint: address,
      insecure: true,
      bucket: "b",
      key: "k",
      region: "r",
      accessKeySecret: pick("access"),
      secretKeySecret: pick("secret"),
    },
  ],
  git: (address) => [
    { repo: `http://user:${secretInField("repo")}@${address}/r.git`, ...basic },
    { repo: `ssh://git@${address}/r.git`, sshPrivateKeySecret: pick("key"), insecureIgnoreHostKey: true },
  ],
  http: (address) => [
    {
      url: `http://user:${secretInField("url")}@${address}/k?token=${secretInField("query")}`,
      headers: [{ name: "X-Key", value: secretInField("header") }],
      auth: { basicAuth: basic },
    },
    {
      url: `http://${address}/k`,
      auth: {
        oauth2: {
          clientIDSecret: pick("client"),
          clientSecretSecret: pick("client-secret"),
          tokenURLSecret: pick("token-url"),
          endpointParams: [{ key: "assertion", value: secretInField("param") }],
        },
      },
    },
    {
      url: `http://${address}/k`,
      auth: { clientCert: { clientCertSecret: pick("certificate"), clientKeySecret: pick("key") } },
    },
  ],
  artifactory: (address) => [{ url: `http://user:${secretInField("url")}@${address}/k`, ...basic }],
  hdfs: (address) => [
    { addresses: [`http://${address}`], path: "/k", hdfsUser: "u" },
    {
      addresses: [`http://${address}`],
      path: "/k",
      krbCCacheSecret: pick("ccache"),
      krbKeytabSecret: pick("keytab"),
      krbUsername: "u",
      krbRealm: "R",
      krbServicePrincipalName: "p",
    },
  ],
  raw: () => [],
  oss: (address) => [{
    endpoint: `http://${address}`,
    bucket: "b",
    key: "k",
    accessKeySecret: pick("access"),
    secretKeySecret: pick("secret"),
    securityToken: secretInField("token"),
  }],
  gcs: () => [{ bucket: "b", key: "k", serviceAccountKeySecret: pick("account") }],
  azure: (address) => [{
    endpoint: `http://${address}/account`,
    container: "container",
    blob: "k",
    accountKeySecret: pick("account"),
  }],
  // Plugins have no secrets. lib/stores/plugin/plugin_test.ts tests where their configuration is sent.
  plugin: () => [],
};

/** Rejects every request and echoes it, as an attacker's server could. */
function startEchoServer() {
  const heard: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
    const text = [request.url, ...headers, await request.text()].join("\n");
    heard.push(text);
    return new Response(`<Error><Code>AccessDenied</Code><Message>${text}</Message></Error>`, {
      status: 403,
      statusText: "Forbidden",
      headers: { "content-type": "application/xml", "x-ms-error-code": "AuthorizationFailure" },
    });
  });
  return { heard, at: `127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Stores whose requests contain a credential verbatim, so that the echoed response contains it. */
const SENT_VERBATIM: readonly StoreName[] = ["http", "s3", "oss"];

for (const store of Object.keys(STORES) as StoreName[]) {
  Deno.test(`executor: never leaks the credentials of a ${store} store (AR-42)`, async () => {
    await using server = startEchoServer();
    const locations = LOCATIONS[store](server.at);
    assertEquals(selectorsOf(locations.map((settings) => ({ [store]: settings }))), secretFieldsOf(store));
    for (const settings of locations) await tries(store, settings, server.at);
    if (SENT_VERBATIM.includes(store)) assert(server.heard.some((text) => text.includes(CANARY)), "it is sent");
  });
}

/** The fields of a store that refer to a secret. A new field must be added to the locations above. */
function secretFieldsOf(store: StoreName): string[] {
  const visit = (fields: Readonly<Record<string, { kind: string; fields?: object }>>): string[] =>
    Object.entries(fields).flatMap(([name, { kind, fields: inner }]) =>
      kind === "secret" ? [name] : inner ? visit(inner as typeof fields) : []
    );
  return [...new Set(visit(STORES[store].fields as Parameters<typeof visit>[0]))].sort();
}

/** The names of the fields that refer to secrets in these locations. */
function selectorsOf(locations: readonly Settings[]): string[] {
  const all = new Set(locations.flatMap((location) => secretSelectors(location)));
  const names = new Set<string>();
  const visit = (value: unknown) => {
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (all.has(inner as ReturnType<typeof secretSelectors>[number])) names.add(name);
      else visit(inner);
    }
  };
  for (const location of locations) visit(location);
  return [...names].sort();
}

/** Loads, saves and deletes an artifact, and checks everything that was logged, reported or written. */
async function tries(store: StoreName, settings: Settings, address: string): Promise<void> {
  const env = {
    [ENV.artifactGcPod]: "42",
    EXECUTOR_RETRY_BACKOFF_DURATION: "1ms",
    STORAGE_EMULATOR_HOST: `http://${address}`,
    ARGO_TRACE: "1",
  };
  await using pod = await ownPod({}, env);
  const { world, client } = pod;
  for (const { key } of secretSelectors({ [store]: settings })) {
    await world.write(`${PATH.secrets}/canary/${key}`, valueOf(key, address));
  }
  await world.write(`${PATH.mainFileSystem}/data/out`, "content");
  const artifact = { name: "a", [store]: settings };
  const template = {
    container: { volumeMounts: [{ name: "v", mountPath: "/data" }] },
    inputs: { artifacts: [{ ...artifact, path: "/in" }] },
    outputs: { artifacts: [{ ...artifact, path: "/data/out", archive: { none: {} } }] },
  };
  const said: unknown[] = [];
  const stop = AbortSignal.timeout(8000);
  await loadInputs(world, template, { plugins: [], others: true }, stop).catch((error) => {
    const failure = toExecutorError("inputs", error);
    said.push(world.redact(failure.message));
    writeTerminationMessage(world, messageOf(failure));
  });
  said.push(await world.read(PATH.terminationLog));
  if (STORES[store].can.output) said.push((await saveArtifacts(world, template, stop)).problems);
  const workflow = await client.get(WORKFLOWS, "ns", "wf");
  const owner = { apiVersion: API_VERSION, kind: "Workflow", name: "wf", uid: workflow.metadata.uid! };
  await client.create(WORKFLOW_ARTIFACT_GC_TASKS, "ns", {
    apiVersion: API_VERSION,
    kind: "WorkflowArtifactGCTask",
    metadata: { name: "t", labels: { [LABEL.artifactGcPod]: "42" }, ownerReferences: [owner] },
    spec: { artifactsByNode: { n: { artifacts: { a: artifact } } } },
  });
  assertEquals(await deleteArtifacts(world, NEVER), 0);
  const { status } = await client.get<WorkflowArtifactGCTask>(WORKFLOW_ARTIFACT_GC_TASKS, "ns", "t");
  const { success, error } = status!.artifactResultsByNode!.n!.artifactResults!.a!;
  assert(!success && error, "a store that refuses everything deletes nothing");
  said.push(status, world.logged);
  const text = JSON.stringify(said);
  const found = text.indexOf(CANARY);
  assertEquals(found, -1, text.slice(Math.max(0, found - 300), found + 120));
  const hidden = new TextEncoder().encode(CANARY).toBase64().slice(0, 12);
  assert(!text.includes(hidden), `it is there in base64: ${text}`);
}

/** A value for a secret that is valid enough to be sent. */
function valueOf(key: string, address: string): string {
  const canary = `${CANARY}-${key}`;
  if (key === "token-url") return `http://${address}/token?secret=${canary}`;
  if (key !== "account") return canary;
  // Account keys: Azure's must be Base64. GCS expects a key file, so this value is rejected.
  return new TextEncoder().encode(`${canary}-${"x".repeat(40)}`).toBase64();
}
