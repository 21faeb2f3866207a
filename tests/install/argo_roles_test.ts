import { assertEquals } from "@std/assert";
import { defaultConfig, lineLog, startController } from "../../controller/mod.ts";
import type { Workflow } from "@tiphys/model/api";
import { KubeClient, type KubeObject, PERSISTENT_VOLUME_CLAIMS, WORKFLOWS } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { missingRules } from "@tiphys/installation/preflight";
import { ARGO_CONTROLLER_RULES, ARGO_SERVER_RULES, rightsToAdd, rulesToAdd } from "../../scripts/argo_roles.ts";
import { binding, inNamespace, NAMESPACE, role, serviceAccount } from "../../scripts/manifest_objects.ts";
import {
  rulesOfRoutes,
  SERVER_CLUSTER_RULES,
  SERVER_EVENT_RULES,
  SERVER_OWN_RULES,
  SERVER_RULES,
  SERVER_SSO_RULES,
} from "../../scripts/server_roles.ts";
import { awaitFact } from "../await_fact.ts";
import { embeddedWithRoles } from "./embedded_account.ts";

const argo = "argoproj.io";

/** A workflow without pods whose claim has the finalizer that every real cluster adds. */
const WITH_CLAIM = {
  apiVersion: `${argo}/v1alpha1`,
  kind: "Workflow",
  metadata: { name: "claims" },
  spec: {
    entrypoint: "wait",
    volumeClaimGC: { strategy: "OnWorkflowCompletion" },
    volumeClaimTemplates: [{
      metadata: { name: "work", finalizers: ["kubernetes.io/pvc-protection"] },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } } },
    }],
    templates: [{ name: "wait", suspend: { duration: "0" } }],
  },
};

Deno.test("AD-12 roles: the controller works with the roles of Argo's installation, and logs each missing right once", async () => {
  await using cluster = await embeddedWithRoles();
  await cluster.apply([
    serviceAccount("argo"),
    role("ClusterRole", "argo-cluster-role", ARGO_CONTROLLER_RULES),
    binding("ClusterRoleBinding", "ClusterRole", "argo-cluster-role", "argo"),
  ].map(inNamespace) as unknown as KubeObject[]);
  const { transport } = await connectKubeconfig({ kubeconfig: await cluster.kubeconfig(NAMESPACE, "argo") });
  const client = new KubeClient(transport);
  const lines: string[] = [];
  const { engine, limits, podRate, retention } = defaultConfig({ executorImage: "argoexec:test" });
  const controller = await startController({
    client,
    config: () => engine,
    limits: () => limits,
    podRate: () => podRate,
    retention: () => retention,
    log: lineLog({ level: "warn", format: "text", write: (line) => void lines.push(line) }),
  });
  try {
    await cluster.admin.create(WORKFLOWS, NAMESPACE, WITH_CLAIM);
    const phase = async () => (await cluster.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "claims")).status?.phase;
    await awaitFact("the workflow succeeded", async () => await phase() === "Succeeded", { seconds: 60 })
      .catch((error) => {
        throw new Error(lines.join("\n"), { cause: error });
      });
    const claims = async () => (await cluster.admin.list(PERSISTENT_VOLUME_CLAIMS, NAMESPACE)).items.length;
    await awaitFact("the claim is gone", async () => await claims() === 0, { seconds: 60 }).catch((error) => {
      throw new Error(lines.join("\n"), { cause: error });
    });
    const refused = lines.filter((line) => /forbidden|not allowed/i.test(line));
    assertEquals(new Set(refused).size, refused.length, refused.join("\n"));
  } finally {
    await controller.close();
    client.close();
  }
});

Deno.test("roles: Argo's roles lack only rights that our controller does not require", () => {
  const lacking = rulesToAdd().flatMap(({ resources: [resource], verbs }) =>
    verbs.map((verb) => `${verb} ${resource}`)
  );
  assertEquals(rightsToAdd().map(({ right }) => right), lacking);
  assertEquals(lacking.toSorted(), [
    "create configmaps",
    "list nodes",
    "patch configmaps",
    "patch workflowtasksets/status",
    "watch serviceaccounts",
  ]);
});

Deno.test("roles: Argo's role for the server grants every right that our server and its routes need", () => {
  const own = [SERVER_RULES, SERVER_CLUSTER_RULES, SERVER_OWN_RULES, SERVER_SSO_RULES, SERVER_EVENT_RULES].flat();
  assertEquals(missingRules([...own, ...rulesOfRoutes()], ARGO_SERVER_RULES), []);
});
