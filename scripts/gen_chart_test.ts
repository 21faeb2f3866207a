import { assertEquals, assertStringIncludes } from "@std/assert";
import { readFlags as readControllerFlags } from "../controller/flags.ts";
import { CONTROLLER_RULES } from "@tiphys/installation/preflight";
import { needs } from "../lib/base/testing/needs.ts";
import { parseYaml } from "@tiphys/model/yaml";
import { serverCommand } from "../server/mod.ts";
import { SERVER_EVENT_RULES } from "./server_roles.ts";
import { type CommandResult, hasProgram, runCommand } from "./command.ts";
import { ARGO_HELM_VALUES_NOT_HERE } from "./argo_helm_values.ts";
import { chartFiles } from "./gen_chart.ts";

const CHART = new URL("../manifests/helm/tiphys", import.meta.url).pathname;
const HAS_HELM = await hasProgram("helm");

interface RenderedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: unknown;
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly template?: {
      readonly spec: { readonly containers: { readonly image: string; readonly args: string[] }[] };
    };
  };
}

/** The output of helm for the chart with some values. */
async function helm(...values: readonly string[]): Promise<CommandResult> {
  const set = values.flatMap((value) => ["--set", value]);
  // No cluster is contacted, and no folder of the user is read.
  const home = await Deno.makeTempDir();
  try {
    const env = { HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
    return await runCommand(["helm", "template", "rel", CHART, "--kube-version", "1.36.0", ...set], { env });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function render(...values: readonly string[]): Promise<RenderedObject[]> {
  const { code, stdout, stderr } = await helm(...values);
  assertEquals(code, 0, stderr);
  return parseYaml(stdout).map(({ value, errors }) => {
    assertEquals(errors, []);
    return value as unknown as RenderedObject;
  }).filter((object) => object !== null && object !== undefined);
}

function objectsOfKind(objects: readonly RenderedObject[], kind: string): RenderedObject[] {
  return objects.filter((object) => object.kind === kind);
}

Deno.test("chart: a value of argo-helm without effect here is known with the reason, and is not a value of the chart", () => {
  const files = chartFiles();
  const known = files.get("helm/tiphys/templates/_known.tpl")!;
  const values = files.get("helm/tiphys/values.yaml")!;
  const own = parseYaml(values)[0]?.value as Record<string, Record<string, unknown>>;
  for (const [path, reason] of Object.entries(ARGO_HELM_VALUES_NOT_HERE)) {
    const [part = "", name = ""] = path.split(".");
    assertStringIncludes(known, JSON.stringify(reason), path);
    assertEquals(path.split(".").length === 2 && name in (own[part] ?? {}), false, path);
  }
});

Deno.test({
  ...needs("helm", HAS_HELM, "chart: a value of argo-helm without effect here is refused with the reason"),
  async fn() {
    for (
      const [value, words] of [
        ["server.ingress.enabled=true", "server.ingress has no effect here: the chart does not expose the server"],
        ["commonLabels.a=b", "commonLabels has no effect here: "],
        ["controller.metricsConfig.scheme=https", "controller.metricsConfig.scheme has no effect here: "],
      ] as const
    ) {
      const { code, stderr } = await helm(value);
      assertEquals(code, 1, value);
      assertStringIncludes(stderr, words);
    }
    const [map] = objectsOfKind(await render("controller.failedPodRestart.enabled=true"), "ConfigMap");
    assertEquals(map?.data?.failedPodRestart, "enabled: true\n");
  },
});

Deno.test("chart: the schema of the values permits the defaults, and knows the names of argo-helm", () => {
  const files = chartFiles();
  const values = parseYaml(files.get("helm/tiphys/values.yaml")!)[0]?.value as Record<string, Record<string, unknown>>;
  const schema = JSON.parse(files.get("helm/tiphys/values.schema.json")!);
  assertEquals(Object.keys(schema.properties).sort(), Object.keys(values).sort());
  const names = [
    "image",
    "workflowNamespaces",
    "instanceID",
    "metricsConfig",
    "persistence",
    "workflowDefaults",
    "pdb",
  ];
  for (const name of names) assertEquals(Object.hasOwn(values.controller!, name), true, name);
});

Deno.test({
  ...needs(
    "helm",
    HAS_HELM,
    "chart: renders the roles of the install manifests, and flags that our programs accept",
  ),
  async fn() {
    const objects = await render();
    assertEquals(objectsOfKind(objects, "CustomResourceDefinition").length, 8);
    const role = objectsOfKind(objects, "ClusterRole").find(({ metadata }) =>
      metadata.name.endsWith("workflow-controller")
    );
    assertEquals((role?.rules as unknown[]).slice(0, CONTROLLER_RULES.length), [...CONTROLLER_RULES]);
    const [server, controller] = ["argo-server", "workflow-controller"].map((name) =>
      objectsOfKind(objects, "Deployment").flatMap(({ spec }) => spec!.template!.spec.containers)
        .find(({ image }) => image.includes(`/tiphys/${name}:v`))!
    );
    const read = readControllerFlags(controller!.args, () => undefined);
    assertEquals(typeof read === "object" && read.ignored, []);
    assertEquals(serverCommand().exitOverride().parse(server!.args.slice(1), { from: "user" }).opts().secure, false);
  },
});

Deno.test({
  ...needs(
    "helm",
    HAS_HELM,
    "chart: the server has permissions only for enabled features: logins, events, the archive's login",
  ),
  async fn() {
    const rulesOf = (objects: readonly RenderedObject[], name: string) =>
      objectsOfKind(objects, "Role").filter(({ metadata }) => metadata.name.endsWith(name)).map(({ rules }) => rules);
    const [plain] = rulesOf(await render(), "server-own") as [unknown[]];
    assertEquals(plain.length, 1);
    const sso = ["server.sso.enabled=true", "server.sso.issuer=https://idp.test", "server.authModes={client,sso}"];
    const loggedIn = await render(...sso);
    const read = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
    const make = { ...read, verbs: ["create"] };
    const accounts = { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["list"] };
    assertEquals(rulesOf(loggedIn, "server-own"), [[...plain, make, read, accounts]]);
    const setting = parseYaml(objectsOfKind(loggedIn, "ConfigMap")[0]!.data!.sso!)[0]?.value;
    assertEquals(setting, {
      issuer: "https://idp.test",
      clientId: { name: "argo-server-sso", key: "client-id" },
      clientSecret: { name: "argo-server-sso", key: "client-secret" },
      rbac: { enabled: true },
    });
    const named = await render(...sso, "server.sso.rbac.secretWhitelist={team-a}");
    const resourceNames = ["sso", "argo-server-sso", "team-a"];
    assertEquals(rulesOf(named, "server-own"), [[...plain, make, { ...read, resourceNames }, accounts]]);
    const events = await render("server.events.enabled=true", "controller.workflowNamespaces={a,b}");
    assertEquals(rulesOf(events, "server-events"), Array.from({ length: 3 }, () => [...SERVER_EVENT_RULES]));
    assertStringIncludes((await helm("server.authModes={sso}")).stderr, "needs server.sso.enabled");
  },
});

Deno.test({
  ...needs(
    "helm",
    HAS_HELM,
    "AD-13 chart: accepts argo-helm's values, and suggests the correct name for an unknown one",
  ),
  async fn() {
    const single = await render(
      "singleNamespace=true",
      "controller.instanceID.enabled=true",
      "controller.instanceID.explicitID=mine",
      "controller.image.tag=v9",
      "controller.metricsConfig.enabled=true",
      "controller.serviceMonitor.enabled=true",
      "controller.parallelism=5",
      "networkPolicy.enabled=true",
      "workflow.serviceAccount.create=true",
      "crds.install=false",
    );
    assertEquals(single.filter(({ kind }) => kind.startsWith("Cluster") || kind.startsWith("Custom")), []);
    assertEquals(objectsOfKind(single, "NetworkPolicy").length, 2);
    const { instanceID, parallelism } = objectsOfKind(single, "ConfigMap")[0]!.data!;
    assertEquals([instanceID, parallelism], ["mine", "5"]);
    for (const [wrong, meant] of [["controller.replcas", "controller.replicas"], ["crd.keep", "crds"]]) {
      const { code, stderr } = await helm(`${wrong}=1`);
      assertEquals(code, 1);
      assertStringIncludes(stderr, `did you mean ${meant}?`);
    }
    assertStringIncludes((await helm("controller.replicas=two")).stderr, "controller/replicas");
  },
});
