import { assertEquals } from "@std/assert";
import type { ConfigMap } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import { agentFacts } from "./agent_facts.ts";
import type { Caches } from "./caches.ts";

const SOUND = `name: slack
image: example.com/slack
ports: [{containerPort: 7522}]
resources: {requests: {cpu: 10m, memory: 32Mi}, limits: {cpu: 100m, memory: 64Mi}}
securityContext: {runAsNonRoot: true}
`;

function plugin(name: string, container: string, namespace = "argo"): ConfigMap {
  return {
    metadata: {
      name: `${name}-executor-plugin`,
      namespace,
      labels: { [LABEL.configMapType]: "ExecutorPlugin" },
    },
    data: { "sidecar.container": container },
  } as unknown as ConfigMap;
}

function pluginsIn(maps: readonly ConfigMap[], namespaces = ["argo", "default"]) {
  const caches = {
    taskSets: { get: () => undefined, hasSeen: () => true, readObject: () => undefined },
    configMaps: { list: () => maps as unknown as KubeObject[] },
  } as unknown as Pick<Caches, "taskSets" | "configMaps">;
  const workflow = { metadata: { name: "web", namespace: "default", uid: "uid-1" } };
  const known = { taskSet: undefined, createdPods: 0 };
  return agentFacts(caches, known, "default/web", workflow as never, undefined, namespaces)!.plugins;
}

const LACKS: Readonly<Record<string, readonly [RegExp, string]>> = {
  ports: [/^ports:.*\n/m, "sidecar is invalid: at least one port is mandatory"],
  limits: [/, limits: \{[^}]*\}/, "sidecar is invalid: resources limits are mandatory"],
  requests: [/requests: \{[^}]*\}, /, "sidecar is invalid: resources requests are mandatory"],
  "security context": [/^securityContext:.*\n/m, "sidecar is invalid: security context is mandatory"],
};

for (const [what, [cut, message]] of Object.entries(LACKS)) {
  Deno.test(`plugins: a plugin without ${what} is reported, and does not affect others (T-AG-13)`, () => {
    const found = pluginsIn([plugin("bad", SOUND.replace(cut, "")), plugin("slack", SOUND)]);
    assertEquals(found[0], { problem: `executor plugin bad: ${message}` });
    assertEquals(found.slice(1).map((result) => "name" in result ? result.name : result.problem), ["slack"]);
  });
}

Deno.test("plugins: the workflow's namespace takes precedence for plugins of the same name, and all are sorted by name", () => {
  const own = plugin("slack", SOUND.replace("example.com/slack", "example.com/own"), "default");
  const found = pluginsIn([own, plugin("slack", SOUND), plugin("jira", SOUND)]);
  assertEquals(
    found.map((result) => "name" in result ? [result.name, result.container.image] : result),
    [["jira", "example.com/slack"], ["slack", "example.com/own"]],
  );
});

Deno.test("plugins: a plugin gets the token of its service account only if its ConfigMap contains exactly true", () => {
  const saying = (name: string, word: string) => {
    const made = plugin(name, SOUND.replace("slack", name));
    return { ...made, data: { ...made.data, "sidecar.automountServiceAccountToken": word } };
  };
  const found = pluginsIn([saying("a", "true"), saying("b", "false"), plugin("c", SOUND)]);
  assertEquals(found.map((result) => "name" in result && result.automountServiceAccountToken), [true, false, false]);
});
