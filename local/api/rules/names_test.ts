import { assertEquals } from "@std/assert";
import { createApiServer } from "../mod.ts";

const LABEL = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start " +
  "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const containers = [{ name: "main", image: "a" }];

/** A path below its version, and the required fields of an object of that kind. */
const KINDS: readonly { group: string; plural: string; kind: string; fields?: Record<string, unknown> }[] = [
  { group: "api/v1", plural: "pods", kind: "Pod", fields: { spec: { containers } } },
  { group: "api/v1", plural: "configmaps", kind: "ConfigMap" },
  { group: "api/v1", plural: "secrets", kind: "Secret" },
  { group: "api/v1", plural: "events", kind: "Event" },
  { group: "api/v1", plural: "services", kind: "Service" },
  { group: "api/v1", plural: "serviceaccounts", kind: "ServiceAccount" },
  { group: "api/v1", plural: "persistentvolumeclaims", kind: "PersistentVolumeClaim" },
  { group: "apis/coordination.k8s.io/v1", plural: "leases", kind: "Lease" },
  { group: "apis/batch/v1", plural: "jobs", kind: "Job" },
  { group: "apis/rbac.authorization.k8s.io/v1", plural: "roles", kind: "Role" },
  { group: "apis/argoproj.io/v1alpha1", plural: "workflows", kind: "Workflow" },
  { group: "apis/argoproj.io/v1alpha1", plural: "workflowtaskresults", kind: "WorkflowTaskResult" },
];

type Answer = { code?: number; message?: string; kind?: string };

/** Runs a test with a separate server. */
async function withServer(
  test: (ask: (method: string, path: string, body?: unknown, type?: string) => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const server = createApiServer({ storePath: ":memory:" });
  try {
    await test(async (method, path, body, type = "application/json") => {
      const headers = { "content-type": type };
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      return await (await server.handler(new Request(`http://kubernetes.internal/${path}`, init))).json();
    });
  } finally {
    server.close();
  }
}

const HOSTILE_NAMESPACES = [
  "../../..",
  "..",
  ".",
  "a/b",
  "a.b",
  "-a",
  "A",
  "a\u0000",
  "a\nb",
  "a".repeat(64),
  "%2e%2e",
];

Deno.test("names: an invalid namespace name is rejected for namespaces and for objects", async () => {
  await withServer(async (ask) => {
    for (const { group, plural, kind, fields } of KINDS) {
      for (const namespace of HOSTILE_NAMESPACES) {
        const path = `${group}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
        const object = { apiVersion: group.replace(/^apis?\//, ""), kind, metadata: { name: "a" }, ...fields };
        const made = await ask("POST", path, object);
        const generated = await ask("POST", path, { ...object, metadata: { generateName: "a-" } });
        const applied = await ask("PATCH", `${path}/a?fieldManager=me`, object, "application/apply-patch+yaml");
        const dry = await ask("POST", `${path}?dryRun=All`, object);
        // A URL resolves `.` and `..` itself, so such a path is a different one.
        const expected = namespace === "." || namespace === ".." ? [400, 404, 405] : [422];
        for (const { code, message } of [made, generated, applied, dry]) {
          assertEquals(
            [expected.includes(code ?? 0), message?.includes("unknown")],
            [true, false],
            `${path}: ${message}`,
          );
        }
      }
    }
    const { items } = await ask("GET", "api/v1/namespaces") as { items: { metadata: { name: string } }[] };
    assertEquals(items.map(({ metadata }) => metadata.name), ["argo", "default", "kube-public", "kube-system"]);
  });
});

Deno.test("names: the error of an invalid namespace has the message of Kubernetes", async () => {
  await withServer(async (ask) => {
    const claim = { metadata: { name: "a" } };
    const { code, message } = await ask("POST", "api/v1/namespaces/..%2F../persistentvolumeclaims", claim);
    const expected = `PersistentVolumeClaim "a" is invalid: metadata.namespace: Invalid value: "../..": ${LABEL}`;
    assertEquals([code, message], [422, expected]);
  });
});

Deno.test("names: no object is created or generated with a name that could be a path", async () => {
  await withServer(async (ask) => {
    for (const { group, plural, kind, fields } of KINDS) {
      const path = `${group}/namespaces/default/${plural}`;
      for (const name of ["..", "../a", "a/b", "/etc", "a%2fb"]) {
        const object = (metadata: unknown) => ({
          apiVersion: group.replace(/^apis?\//, ""),
          kind,
          metadata,
          ...fields,
        });
        const made = await ask("POST", path, object({ name }));
        const generated = await ask("POST", path, object({ generateName: `${name}/` }));
        const url = `${path}/${encodeURIComponent(name)}?fieldManager=me`;
        const applied = await ask("PATCH", url, object({ name }), "application/apply-patch+yaml");
        assertEquals(
          [made.code, generated.code],
          [422, 422],
          `${plural} ${name}: ${made.message} ${generated.message}`,
        );
        assertEquals([400, 404, 405].includes(applied.code ?? 0), true, `${plural} ${name}: ${applied.message}`);
      }
    }
  });
});

const NAMES: readonly {
  readonly of: string;
  readonly path: string;
  readonly object: unknown;
  readonly says: string;
}[] = [
  {
    of: "a namespace is a label",
    path: "api/v1/namespaces",
    object: { metadata: { name: "a.b" } },
    says: `Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": ${LABEL}`,
  },
  {
    of: "a name has 253 bytes at most",
    path: "api/v1/namespaces/default/configmaps",
    object: { metadata: { name: "a".repeat(254) } },
    says:
      `ConfigMap "${"a".repeat(254)}" is invalid: metadata.name: Invalid value: "${
        "a".repeat(254)
      }": must be no more ` +
      "than 253 bytes",
  },
  {
    of: "a service's name begins with a letter",
    path: "api/v1/namespaces/default/services",
    object: { metadata: { name: "1a" } },
    says: `Service "1a" is invalid: metadata.name: Invalid value: "1a": a DNS-1035 label must consist of lower case ` +
      "alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. " +
      "'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  },
  {
    of: "a role's name is a part of a path",
    path: "apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
    object: { metadata: { name: "a/b" } },
    says: `Role.rbac.authorization.k8s.io "a/b" is invalid: metadata.name: Invalid value: "a/b": may not contain '/'`,
  },
  {
    of: "a definition is called after what it defines",
    path: "apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    object: { metadata: { name: "a.example.com" }, spec: { group: "example.com", names: { plural: "../b" } } },
    says: 'CustomResourceDefinition.apiextensions.k8s.io "a.example.com" is invalid: metadata.name: Invalid value: ' +
      '"a.example.com": must be spec.names.plural+"."+spec.group',
  },
  {
    of: "a key of a ConfigMap is not a path",
    path: "api/v1/namespaces/default/configmaps",
    object: { metadata: { name: "a" }, data: { "../a": "" } },
    says:
      'ConfigMap "a" is invalid: [data[../a]: Invalid value: "../a": a valid config key must consist of alphanumeric ' +
      "characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is " +
      `'[-._a-zA-Z0-9]+'), data[../a]: Invalid value: "../a": must not start with '..']`,
  },
];

for (const { of, path, object, says } of NAMES) {
  Deno.test(`names: ${of}`, async () => {
    await withServer(async (ask) => {
      const { code, message } = await ask("POST", path, object);
      assertEquals([code, message], [422, says]);
    });
  });
}

Deno.test("names: an update cannot change name or namespace", async () => {
  await withServer(async (ask) => {
    const path = "api/v1/namespaces/default/configmaps";
    await ask("POST", path, { metadata: { name: "a" } });
    const patch = { metadata: { name: "../b", namespace: "../..", uid: undefined, labels: { a: "b" } } };
    const patched = await ask("PATCH", `${path}/a`, patch, "application/merge-patch+json") as Answer & {
      metadata: { name: string; namespace: string };
    };
    assertEquals([patched.metadata.name, patched.metadata.namespace], ["a", "default"]);
    const replaced = await ask("PUT", `${path}/a`, { metadata: { name: "a", namespace: "../.." } });
    assertEquals(replaced.code, 400);
  });
});

Deno.test("names: a request for an existing object creates no namespace", async () => {
  await withServer(async (ask) => {
    const pod = "api/v1/namespaces/..%2F..%2Fa/pods/b";
    const account = "api/v1/namespaces/..%2F..%2Fa/serviceaccounts/b";
    for (const path of [`${pod}/binding`, `${pod}/eviction`, `${account}/token`, `${pod}/status`]) {
      const method = path.endsWith("status") ? "PUT" : "POST";
      const body = { metadata: { name: "b" }, target: { name: "n" }, kind: undefined };
      assertEquals((await ask(method, path, body)).code, 404, path);
    }
    const { items } = await ask("GET", "api/v1/namespaces") as unknown as { items: unknown[] };
    assertEquals(items.length, 4);
  });
});

Deno.test("names: huge names, labels and keys are refused without matching their patterns", async () => {
  await withServer(async (ask) => {
    const long = `${"a".repeat(200_000)}!`;
    const object = { metadata: { name: long, generateName: long, labels: { a: long }, annotations: { [long]: "" } } };
    const { code } = await ask("POST", "api/v1/namespaces/default/configmaps", { ...object, data: { [long]: "" } });
    assertEquals(code, 422);
  });
});
