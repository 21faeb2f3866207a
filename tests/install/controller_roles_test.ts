import { assertEquals } from "@std/assert";
import * as kube from "@tiphys/kube";
import { CLUSTER_RULES, CONTROLLER_RULES, ELECTION_RULES, type Rule } from "@tiphys/installation/preflight";

const ROOT = new URL("../../", import.meta.url);

/** The resources by the names of their constants. */
const RESOURCES = new Map(
  Object.entries(kube).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && "plural" in value
      ? [[name, value as unknown as kube.Resource] as const]
      : []
  ),
);

/** The verbs of Kubernetes by the methods of our client. */
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

/** Requests that name their resource or verb otherwise: the words in a file that make them, and the rights they take. */
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
  // An exec is a get by WebSocket, and a create by the older protocol.
  { file: "workflow/apply/terminator.ts", words: "client.exec(", rights: ["get /pods/exec", "create /pods/exec"] },
  // A client that makes an object whose owner waits for it must be allowed to hold the owner back.
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

/** Rights that an administrator may give beside those of the manifest; without them the controller does without. */
const GIVEN_BY_HAND = new Map([
  ["get /secrets", "credentials of registries and databases: only where settings or pods name such Secrets"],
  ["update /configmaps", "caches of memoization under a role without `patch`, as people write for Argo"],
  ["delete /configmaps", "caches whose last entry is old: without it they stay, and are empty"],
]);

/** All rights that the sources of the controller ask for, as `VERB GROUP/RESOURCE`. */
async function asked(): Promise<Set<string>> {
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
    assertEquals(text.includes(words), true, `controller/${file} has no ${words} any more`);
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

const GIVEN = rightsOf([...CONTROLLER_RULES, ...CLUSTER_RULES, ...ELECTION_RULES]);

Deno.test("the controller asks for nothing that its roles do not allow", async () => {
  const missing = [...await asked()].filter((right) => !GIVEN.includes(right) && !GIVEN_BY_HAND.has(right));
  assertEquals(missing, []);
});

Deno.test("the controller's roles allow nothing that it does not ask for", async () => {
  const known = await asked();
  assertEquals(GIVEN.filter((right) => !known.has(right)), []);
  assertEquals([...GIVEN_BY_HAND.keys()].filter((right) => !known.has(right)), []);
});
