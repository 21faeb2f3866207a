/** Tests of events and webhooks, from the request to the created workflows. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHmac } from "node:crypto";
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { EVENTS, KubeError, SECRETS, WORKFLOW_EVENT_BINDINGS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { TextWorker } from "@tiphys/language/text_worker";
import { recordedLog, ruledAccount } from "../sso/testing/login_bench.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { EventQueue } from "./queue.ts";
import { WebhookError, Webhooks } from "./webhooks.ts";
import { MAX_EVENT_BYTES } from "./routes.ts";

const PATH = `/api/v1/events/${NAMESPACE}`;
const RIGHTS = [
  { verb: "list", group: "argoproj.io", resource: "workfloweventbindings" },
  { verb: "get", group: "argoproj.io", resource: "workflowtemplates" },
  { verb: "create", group: "argoproj.io", resource: "workflows" },
] as const;
const TEMPLATE = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "WorkflowTemplate",
  metadata: { name: "t" },
  spec: {
    entrypoint: "main",
    workflowMetadata: { labels: { team: "x" } },
    templates: [{ name: "main", suspend: {} }],
  },
};

function binding(name: string, selector: string, submit: Record<string, unknown> | null = {}) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowEventBinding",
    metadata: { name },
    spec: { event: { selector }, ...(submit && { submit: { workflowTemplateRef: { name: "t" }, ...submit } }) },
  };
}

/** Arguments that pass the result of an expression as the parameter `p`. */
const passing = (expression: string) => ({
  arguments: { parameters: [{ name: "p", valueFrom: { event: expression } }] },
});

/** A server with a template and bindings, and a caller with all permissions. */
async function openBench(bindings: readonly unknown[], options: Parameters<typeof serverBench>[1] = {}) {
  const bench = await serverBench(["client"], options);
  await bench.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, TEMPLATE);
  for (const binding of bindings) await bench.admin.create(WORKFLOW_EVENT_BINDINGS, NAMESPACE, binding);
  const { token } = await bench.account(RIGHTS);
  return {
    bench,
    async send(body: unknown, { discriminator = "", headers = {} as Record<string, string> } = {}) {
      const response = await bench.ask("POST", `${PATH}/${discriminator}`, { token, body, headers });
      return [response.status, await response.json()] as const;
    },
    made: () => createdWorkflows(bench),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

async function createdWorkflows(bench: ServerBench): Promise<readonly Workflow[]> {
  return (await bench.admin.list<Workflow>(WORKFLOWS, NAMESPACE)).items;
}

const valuesOf = (workflows: readonly Workflow[]) =>
  workflows.map(({ spec }) => spec.arguments?.parameters?.[0]?.value).sort();

Deno.test("events: a matching selector creates a workflow with the labels of binding and template", async () => {
  await using server = await openBench([
    binding("yes", 'discriminator == "d" && namespace == "tenant" && payload.x > 1'),
    binding("no", "payload.x > 5"),
    binding("nothing", "true", null),
  ]);
  assertEquals(await server.send({ x: 2 }, { discriminator: "d" }), [200, {}]);
  const [made, ...others] = await server.made();
  assertEquals(others, []);
  assert(/^t-[a-z0-9]{5}$/.test(made?.metadata.name ?? ""), made?.metadata.name);
  const { [LABEL.creator]: creator, ...labels } = made?.metadata.labels ?? {};
  assertEquals([creator?.startsWith("system-serviceaccount"), labels], [true, {
    [LABEL.workflowTemplate]: "t",
    [LABEL.workflowEventBinding]: "yes",
    team: "x",
  }]);
  assertEquals(made?.spec.workflowTemplateRef, { name: "t" });
});

Deno.test("events: x- headers are metadata, case-insensitive and without credentials", async () => {
  await using server = await openBench([
    binding("header", 'metadata["x-argo-e2e"] == ["true"]', passing("metadata")),
  ]);
  const headers = { "X-Argo-E2E": "true", "X-Gitlab-Token": "canary", "X-Hook-UUID": "canary", Cookie: "c=canary" };
  assertEquals((await server.send({}, { headers }))[0], 200);
  assertEquals(valuesOf(await server.made()), ['{"x-argo-e2e":["true"]}']);
});

Deno.test("events: a payload may be any JSON; strings are passed unquoted, other values as JSON", async () => {
  await using server = await openBench([binding("b", "true", passing("payload"))]);
  for (const body of ["1", '"text"', "[1,2]", "null", "", '{"a":{"b":[true]}}', '"{{=1+1}}"']) {
    assertEquals((await server.send(body))[0], 200, body);
  }
  assertEquals(
    valuesOf(await server.made()),
    [
      "1",
      "[1,2]",
      "null",
      "null",
      "text",
      '{"a":{"b":[true]}}',
      "{{=1+1}}",
    ].sort(),
  );
  assertEquals((await server.send("{bad"))[0], 400);
});

Deno.test("events: name, labels and annotations of a workflow are string expressions", async () => {
  await using server = await openBench([binding("b", "true", {
    metadata: {
      name: '"run-" + string(payload.id)',
      labels: { id: "payload.id" },
      annotations: { note: '"from " + discriminator' },
    },
  })]);
  assertEquals((await server.send({ id: "a" }, { discriminator: "d" }))[0], 200);
  const [made] = await server.made();
  assertEquals([made?.metadata.name, made?.metadata.labels?.id, made?.metadata.annotations?.note], [
    "run-a",
    "a",
    "from d",
  ]);
  const [status, { message }] = await server.send({ id: 5 }, { discriminator: "d" });
  assertEquals(status, 500);
  assertEquals(
    message,
    'failed to dispatch event: [workflow label "id" expression must evaluate to a string, it gave 5]',
  );
});

Deno.test("events: a failed binding gets a warning with Argo's prefix and does not affect the others", async () => {
  await using server = await openBench([
    binding("a-unknown", "nobody.knows == 1"),
    binding("b-number", "1 + 1"),
    binding("c-template", "true", { workflowTemplateRef: { name: "absent" } }),
    binding("d-nil", "true", { arguments: { parameters: [{ name: "p", value: "1" }] } }),
    binding("e-endless", "sum(1..1000000, sum(1..1000000)) > 0"),
    binding("f-good", "true"),
    binding("g-empty", ""),
    binding("h-parameter", "true", { arguments: { parameters: [{ name: "p", valueFrom: { event: "1 +" } }] } }),
  ]);
  const [status, { code, message }] = await server.send({});
  assertEquals([status, code], [500, 13]);
  assert(message.includes('malformed workflow template parameter "p": valueFrom is nil'), message);
  assertEquals((await server.made()).map(({ metadata }) => metadata.labels?.[LABEL.workflowEventBinding]), ["f-good"]);
  const { items } = await server.bench.admin.list<
    { involvedObject: { name: string }; reason: string; type: string; message: string }
  >(
    EVENTS,
    NAMESPACE,
  );
  assertEquals(items.map(({ involvedObject }) => involvedObject.name).sort(), [
    "a-unknown",
    "b-number",
    "c-template",
    "d-nil",
    "e-endless",
    "g-empty",
    "h-parameter",
  ]);
  assert(items.every(({ reason, type }) => reason === "WorkflowEventBindingError" && type === "Warning"));
  const begins: Record<string, string> = {
    "a-unknown": "failed to dispatch event: failed to evaluate workflow template expression: ",
    "c-template": "failed to dispatch event: failed to get workflow template: ",
    "d-nil": 'failed to dispatch event: malformed workflow template parameter "p": valueFrom is nil',
    "g-empty": "failed to dispatch event: failed to evaluate workflow template expression: unexpected token EOF",
    "h-parameter":
      'failed to dispatch event: failed to evaluate workflow template parameter "p" expression: unexpected',
  };
  for (const { involvedObject: { name }, message } of items) {
    const begin = begins[name] ?? "failed to dispatch event: ";
    assertEquals(message.slice(0, begin.length), begin);
  }
  const empty = items.find(({ involvedObject }) => involvedObject.name === "g-empty");
  assertEquals(empty?.message, begins["g-empty"], "the whole message of an empty selector is Argo's");
});

Deno.test("events: a caller who may not read the template creates no workflow, whether it exists or not", async () => {
  await using server = await openBench([
    binding("there", "true"),
    binding("absent", "true", { workflowTemplateRef: { name: "z" } }),
  ]);
  const { token } = await server.bench.account(RIGHTS.filter(({ resource }) => resource !== "workflowtemplates"));
  const response = await server.bench.ask("POST", `${PATH}/`, { token, body: {} });
  const { message } = await response.json();
  assertEquals([response.status, message.match(/is forbidden/g)?.length], [500, 2]);
  assertEquals(await server.made(), []);
});

Deno.test("events: asynchronous events are dispatched after the response, and a full queue rejects more", async () => {
  const events = new EventQueue({ size: 1, workers: 1, log: silentLog });
  await using server = await openBench([binding("b", "true")], { events });
  const held = Promise.withResolvers<void>();
  events.tryAdd(() => held.promise);
  assertEquals((await server.send({}))[0], 200);
  assertEquals(await server.made(), []);
  assertEquals(await server.send({}), [503, { code: 14, message: "operation queue full" }]);
  held.resolve();
  await events.waitUntilIdle();
  assertEquals((await server.made()).length, 1);
});

/** The Secret with the webhook clients. */
function clients(entries: Readonly<Record<string, string>>) {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "argo-workflows-webhook-clients", namespace: NAMESPACE },
    data: Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, btoa(text)])),
  };
}

const sign = (secret: string, body: string) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

async function webhookServer(entries: Readonly<Record<string, string>> | undefined) {
  const log = recordedLog();
  const server = await openBench([binding("b", "true", passing("discriminator"))], { log });
  const { token } = await server.bench.account(RIGHTS);
  await ruledAccount(server.bench, "hooks", {}, { namespace: NAMESPACE, token });
  if (entries) await server.bench.admin.create(SECRETS, NAMESPACE, clients(entries));
  const post = async (headers: Record<string, string>, body: string | undefined = '{"a":1}') => {
    const response = await server.bench.ask("POST", `${PATH}/d`, { headers, body });
    return [response.status, await response.text()] as const;
  };
  return { ...server, log, post, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const BODY = '{"a":1}';
const PROOFS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  github: { "x-github-event": "pull_request", "x-hub-signature-256": sign("s3cret", BODY) },
  gitlab: { "x-gitlab-event": "Merge Request Hook", "x-gitlab-token": "s3cret" },
  bitbucket: { "x-event-key": "repo:push", "x-hook-uuid": "s3cret" },
  bitbucketserver: { "x-event-key": "repo:refs_changed", "x-hub-signature": sign("s3cret", BODY) },
};

Deno.test("webhooks: an authenticated webhook acts as the service account of its entry", async () => {
  for (const [type, headers] of Object.entries(PROOFS)) {
    await using server = await webhookServer({ hooks: `type: ${type}\nsecret: s3cret` });
    assertEquals(await server.post(headers), [200, "{}"], type);
    assertEquals(valuesOf(await server.made()), ["d"]);
    for (const [other, wrong] of Object.entries(PROOFS)) {
      if (other !== type) assertEquals((await server.post(wrong))[0], 401, `${other} for ${type}`);
    }
    for (const [name, value] of Object.entries(headers)) {
      const { [name]: _, ...without } = headers;
      assertEquals((await server.post(without))[0], 401, `${type} without ${name}`);
      assertEquals((await server.post({ ...headers, [name]: `${value}x!` }))[0], 401, `${type} with another ${name}`);
    }
    const isSigned = type === "github" || type === "bitbucketserver";
    assertEquals((await server.post(headers, '{"a":2}'))[0], isSigned ? 401 : 200);
    assertEquals((await server.post(headers, ""))[0], 401);
    assertEquals((await server.post(headers, "[1]"))[0], 401);
    assert(!server.log.lines.join("\n").includes("s3cret"));
  }
});

Deno.test("webhooks: a SHA-1 or truncated signature is rejected", async () => {
  await using server = await webhookServer({
    hooks: "type: github\nsecret: s3cret",
    two: "type: bitbucketserver\nsecret: s3cret",
  });
  const sha1 = `sha1=${createHmac("sha1", "s3cret").update(BODY).digest("hex")}`;
  const github = { "x-github-event": "push" };
  assertEquals((await server.post({ ...github, "x-hub-signature": sha1 }))[0], 401);
  assertEquals((await server.post({ ...github, "x-hub-signature-256": sha1 }))[0], 401);
  for (const short of ["", "x", "sha256", "sha256="]) {
    assertEquals((await server.post({ "x-event-key": "repo:push", "x-hub-signature": short }))[0], 401, short);
  }
});

Deno.test("webhooks: a body is parsed only after its sender is proven", async () => {
  await using server = await webhookServer({ hooks: "type: github\nsecret: s3cret" });
  const body = '{"marker":1}';
  const headers = (secret: string) => ({
    "x-github-event": "push",
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  });
  let parsed = 0;
  const { parse } = JSON;
  JSON.parse = (text: string, reviver) => {
    if (text === body) parsed++;
    return parse(text, reviver);
  };
  try {
    assertEquals((await server.post(headers("other"), body))[0], 401);
    assertEquals(parsed, 0);
    assertEquals((await server.post(headers("s3cret"), body))[0], 200);
    assert(parsed > 0);
  } finally {
    JSON.parse = parse;
  }
});

Deno.test("webhooks: an invalid entry is ignored and does not affect the others", async () => {
  for (
    const entry of [
      'type: github\nsecret: ""',
      "type: github\nsecrt: s3cret",
      "type: github",
      "type: foo\nsecret: s3cret",
      "",
      "[",
      "null",
      "type: gitlab\nsecret: s3cret\nmore: 1",
    ]
  ) {
    await using server = await webhookServer({ aaa: entry, hooks: "type: gitlab\nsecret: good" });
    const empty = { "x-github-event": "push", "x-hub-signature-256": sign("", BODY) };
    for (
      const headers of [empty, PROOFS.github ?? {}, PROOFS.gitlab ?? {}, {
        "x-gitlab-event": "Push Hook",
        "x-gitlab-token": "",
      }]
    ) {
      assertEquals((await server.post(headers))[0], 401, entry);
    }
    assertEquals((await server.post({ "x-gitlab-event": "Push Hook", "x-gitlab-token": "good" }))[0], 200, entry);
    assert(server.log.lines.some((line) => line.includes("Ignored a webhook client") && line.includes("aaa")), entry);
  }
});

Deno.test("webhooks: clients beyond the limits of the Secret are ignored", async () => {
  const gitlab = (secret: string) => `type: gitlab\nsecret: ${secret}`;
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`z${index + 100}`, gitlab(`many${index}`)]),
  );
  const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1\n`).join("");
  await using server = await webhookServer({
    aaa: keys,
    hooks: gitlab("good"),
    long: gitlab("x".repeat(2000)),
    ...many,
  });
  const post = async (token: string) =>
    (await server.post({ "x-gitlab-event": "Push Hook", "x-gitlab-token": token }))[0];
  assertEquals([await post("good"), await post("x".repeat(2000)), await post("many39")], [200, 401, 401]);
  const lines = server.log.lines.filter((line) => line.includes("Ignored a webhook client"));
  assertEquals(
    lines.map((line) => /expected at most 1024 characters|only 32 clients are supported/.exec(line)?.[0]),
    ["expected at most 1024 characters", "expected at most 1024 characters", "only 32 clients are supported"],
  );
});

Deno.test("webhooks: all refusals are the same and do not disclose the reason", async () => {
  const refusal = [403, '{"message": "failed to process webhook request"}'] as const;
  await using none = await webhookServer(undefined);
  assertEquals(await none.post(PROOFS.gitlab ?? {}), refusal);
  assertEquals(await none.post({}), refusal);
  await using server = await webhookServer({
    absent: "type: gitlab\nsecret: s3cret",
    other: "type: github\nsecret: x",
  });
  assertEquals(await server.post(PROOFS.gitlab ?? {}), refusal);
  const large = "x".repeat(MAX_EVENT_BYTES + 1);
  assertEquals(await server.post(PROOFS.gitlab ?? {}, large), refusal);
  assertEquals((await server.send(large))[0], 413);
});

const TEXTS = new TextWorker({ log: silentLog });

/** Webhooks of a server that knows one client of GitLab; a body may take `bodyMillis`. */
async function webhooksOf({ admin }: ServerBench, bodyMillis: number): Promise<Webhooks> {
  await admin.create(SECRETS, NAMESPACE, clients({ hooks: "type: gitlab\nsecret: good" }));
  return new Webhooks({ client: admin, log: silentLog, now: () => new Date(), texts: TEXTS, bodyMillis });
}

Deno.test("webhooks: endless bodies do not block others; the client with the most of them loses its oldest", async () => {
  await using bench = await serverBench(["client"]);
  const webhooks = await webhooksOf(bench, 3_600_000);
  const sent = (body: BodyInit, address: string) => {
    const headers = { "x-gitlab-event": "Push Hook", "x-gitlab-token": "bad" };
    const request = new Request(`http://server.test${PATH}/`, { method: "POST", body, headers });
    return webhooks.admit(request, NAMESPACE, address);
  };
  const bodies: ReadableStreamDefaultController[] = [];
  let canceled = 0;
  const ended: string[] = [];
  const endless = (address: string) => {
    const body = new ReadableStream({ start: (body) => void bodies.push(body), cancel: () => void canceled++ });
    return assertRejects(() => sent(body, address), WebhookError).then(() => ended.push(address));
  };
  const first = endless("slow");
  const many = Array.from({ length: 31 }, () => endless("many"));
  assertEquals(await (await sent("{}", "good")).text(), "{}");
  assertEquals(ended, ["many"]);
  const others = [endless("other"), endless("other"), endless("another")];
  assertEquals(await (await sent("{}", "many")).text(), "{}");
  assertEquals(new Set(ended), new Set(["many"]));
  assert(canceled > 0);
  for (const body of bodies) body.error(new Error("disconnected"));
  await Promise.all([first, ...many, ...others]);
  assertEquals(ended.length, 35);
});

Deno.test("webhooks: a body that does not arrive in time is canceled", async () => {
  await using bench = await serverBench(["client"]);
  const webhooks = await webhooksOf(bench, 1);
  const isCanceled = Promise.withResolvers<void>();
  const body = new ReadableStream({ cancel: () => isCanceled.resolve() });
  const headers = { "x-gitlab-event": "Push Hook", "x-gitlab-token": "bad" };
  const request = new Request(`http://server.test${PATH}/`, { method: "POST", body, headers });
  await assertRejects(() => webhooks.admit(request, NAMESPACE, "slow"), WebhookError);
  await isCanceled.promise;
});

Deno.test("webhooks: are accepted again as soon as the Secret can be read again", async () => {
  await using bench = await serverBench(["client"]);
  await bench.admin.create(SECRETS, NAMESPACE, clients({ hooks: "type: gitlab\nsecret: good" }));
  let isAway = true;
  const between = new Proxy(bench.admin, {
    get: (admin, name) =>
      name !== "get" ? Reflect.get(admin, name) : (...args: Parameters<typeof admin.get>) => {
        if (isAway) return Promise.reject(new KubeError("away", { status: 503, reason: "ServiceUnavailable" }));
        return admin.get(...args);
      },
  });
  const webhooks = new Webhooks({ client: between, log: silentLog, now: () => new Date(), texts: TEXTS });
  const sent = () => {
    const headers = { "x-gitlab-event": "Push Hook", "x-gitlab-token": "bad" };
    const request = new Request(`http://server.test${PATH}/`, { method: "POST", body: "{}", headers });
    return webhooks.admit(request, NAMESPACE, "a");
  };
  await assertRejects(sent, WebhookError);
  isAway = false;
  assertEquals(await (await sent()).text(), "{}");
});
