import { assertEquals } from "@std/assert";
import * as kube from "@tiphys/kube/resources";
import { CLUSTER_RULES, CONTROLLER_RULES, ELECTION_RULES, type Rule } from "@tiphys/installation/preflight";

const ROOT = new URL("../../", import.meta.url);

/** The resources by the name of their constant in `lib/kube`. */
const RESOURCES = new Map(
  Object.entries(kube).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && "plural" in value
      ? [[name, value as unknown as kube.Resource] as const]
      : []
  ),
);

/** The verbs of Kubernetes by method of our client. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  get: ["get"],
  list: ["list"],
  watch: ["watch"],
  create: ["create"],
  patch: ["patch"],
  replace: ["update"],
  delete: ["delete"],
  deleteCollection: ["deletecollection"],
  Informer: ["list", "watch"],
};

const CALL =
  /(?:\.(get|list|watch|create|patch|replace|delete|deleteCollection)|new \w*(Informer))(?:<[^()]*?>)?\(\s*(?:client,\s*)?([A-Z][A-Z_]+)\b/g;

/** Requests that `CALL` does not match: the source text that sends them, and the rights that they need. */
const INDIRECT: readonly { readonly file: string; readonly words: string; readonly rights: readonly string[] }[] = [
  {
    file: "workflow/apply/collector.ts",
    words: "client.create(resource, namespace, object)",
    rights: ["create /pods", "create argoproj.io/workflowartifactgctasks"],
  },
  {
    file: "workflow/apply/collector.ts",
    words: "client.get(resource, namespace, name!)",
    rights: ["get /pods", "get argoproj.io/workflowartifactgctasks"],
  },
  {
    file: "workflow/apply/collector.ts",
    words: "client.delete(resource, namespace, name!",
    rights: ["delete /pods", "delete argoproj.io/workflowartifactgctasks"],
  },
  {
    file: "workflow/apply/task_set.ts",
    words: 'subresource: "status"',
    rights: ["patch argoproj.io/workflowtasksets/status"],
  },
  // `exec` needs `get` over WebSocket, and `create` with the older SPDY protocol.
  { file: "workflow/apply/terminator.ts", words: "client.exec(", rights: ["get /pods/exec", "create /pods/exec"] },
  // Setting blockOwnerDeletion requires the right to update the finalizers of the owner.
  {
    file: "../lib/engine/spec/owner.ts",
    words: "blockOwnerDeletion: true",
    rights: ["update argoproj.io/workflows/finalizers"],
  },
  { file: "cron/make_child.ts", words: "ownerRef", rights: ["update argoproj.io/cronworkflows/finalizers"] },
  {
    file: "../lib/kube/leader_election.ts",
    words: 'method: "GET" | "POST" | "PUT"',
    rights: ["get", "create", "update"].map((verb) => `${verb} coordination.k8s.io/leases`),
  },
];

/**
 * Rights that an administrator may grant in addition to the manifest, and their use. The controller works without them.
 */
const OPTIONAL = new Map([
  ["get /secrets", "credentials of registries and databases: only where settings or pods name such Secrets"],
  ["update /configmaps", "memoization caches with a role that lacks `patch`, like many roles for Argo"],
  ["delete /configmaps", "memoization caches whose last entry has expired: without it, empty ConfigMaps remain"],
]);

/** All rights that the requests in the controller's sources need, as `VERB GROUP/RESOURCE`. */
async function requestedRights(): Promise<Set<string>> {
  const rights = new Set<string>();
  for await (const file of sources(new URL("controller/", ROOT))) {
    for (const [, method, informer, name = ""] of (await Deno.readTextFile(file)).matchAll(CALL)) {
      const resource = RESOURCES.get(name);
      if (!resource) continue;
      for (const verb of METHODS[method ?? informer!]!) rights.add(`${verb} ${resource.group}/${resource.plural}`);
    }
  }
  for (const { file, words, rights: more } of INDIRECT) {
    const text = await Deno.readTextFile(new URL(`controller/${file}`, ROOT));
    assertEquals(text.includes(words), true, `controller/${file} no longer contains ${words}`);
    for (const right of more) rights.add(right);
  }
  return rights;
}

async function* sources(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sources(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) yield new URL(name, folder);
  }
}

function rightsOf(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    verbs.flatMap((verb) => resources.map((resource) => `${verb} ${apiGroups[0]}/${resource}`))
  );
}

const GRANTED = rightsOf([...CONTROLLER_RULES, ...CLUSTER_RULES, ...ELECTION_RULES]);

Deno.test("controller roles: grant every right that the controller needs", async () => {
  const missing = [...await requestedRights()].filter((right) => !GRANTED.includes(right) && !OPTIONAL.has(right));
  assertEquals(missing, []);
});

Deno.test("controller roles: grant no right that the controller does not use", async () => {
  const known = await requestedRights();
  assertEquals(GRANTED.filter((right) => !known.has(right)), []);
  assertEquals([...OPTIONAL.keys()].filter((right) => !known.has(right)), []);
});
