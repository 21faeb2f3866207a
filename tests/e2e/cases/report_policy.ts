/**
 * The admission policy of the manifests: a pod may report only about its own node. The other cases run under it, too.
 */
import { assertEquals } from "@std/assert";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { classifyError, httpTransport, KubeClient, WORKFLOW_TASK_RESULTS } from "@tiphys/kube";
import { awaitFact } from "../../await_fact.ts";
import type { Kubectl } from "../../install/mod.ts";
import type { Case, Stage } from "../case.ts";

/** Names of workflow pods: with a number, of a workflow of one container, and of a neighbor. */
const PODS = ["own-main-123", "own", "own-main-456", "neighbor-main-123"] as const;

/** A report whose owner exists: Kubernetes deletes others. `uids` are those of the workflows, by name. */
const reportOf = (uids: Uids, name: string, workflow?: string, owner = workflow) => ({
  apiVersion: API_VERSION,
  kind: "WorkflowTaskResult",
  metadata: {
    name,
    ...(workflow ? { labels: { [LABEL.workflow]: workflow } } : {}),
    ...(owner
      ? { ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name: owner, uid: uids[owner] }] }
      : {}),
  },
});

type Uids = Readonly<Record<string, string>>;

/** Creates two idle workflows. Returns their UIDs by name. */
async function makeOwners(kubectl: Kubectl, namespace: string): Promise<Uids> {
  const spec = { suspend: true, entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
  const uids: Record<string, string> = {};
  for (const name of ["own", "neighbor"]) {
    await kubectl.apply(namespace, { apiVersion: API_VERSION, kind: "Workflow", metadata: { name }, spec });
    const uid = await kubectl.output("-n", namespace, "get", "workflow", name, "-o", "jsonpath={.metadata.uid}");
    uids[name] = uid.trim();
  }
  return uids;
}

/** A client with a token that Kubernetes issues for a pod. */
async function clientOf(kubectl: Kubectl, namespace: string, pod: string): Promise<KubeClient> {
  const { clusters: [{ cluster }] } = await kubectl.json<{
    clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
  }>("config", "view", "--raw", "--minify");
  const uid = await kubectl.output("-n", namespace, "get", "pod", pod, "-o", "jsonpath={.metadata.uid}");
  const bound = ["--bound-object-kind=Pod", `--bound-object-name=${pod}`, `--bound-object-uid=${uid}`];
  const token = (await kubectl.output("-n", namespace, "create", "token", "default", ...bound)).trim();
  const caCert = atob(cluster["certificate-authority-data"]);
  const credentials = () =>
    Promise.resolve({ headers: { authorization: `Bearer ${token}` }, tls: { caCerts: [caCert] } });
  return new KubeClient(httpTransport({ server: cluster.server, credentials }));
}

export const REPORT_POLICY: readonly Case[] = [{
  title: "report policy: a pod can write only the report of its node, under its name and for its workflow",
  async run({ kubectl }: Pick<Stage, "kubectl">) {
    const namespace = `reports-${crypto.randomUUID().slice(0, 8)}`;
    await kubectl.output("create", "namespace", namespace);
    try {
      const rules = ["--verb=create,patch", "--resource=workflowtaskresults.argoproj.io"];
      await kubectl.output("-n", namespace, "create", "role", "executor", ...rules);
      const subject = `--serviceaccount=${namespace}:default`;
      await kubectl.output("-n", namespace, "create", "rolebinding", "executor", "--role=executor", subject);
      await awaitFact("the service account is there", async () => {
        return (await kubectl.try("-n", namespace, "get", "serviceaccount", "default")).code === 0;
      }, { seconds: 120 });
      // Nothing has to run: a token can be issued for a pod that exists.
      const spec = { nodeSelector: { no: "such-machine" }, containers: [{ name: "main", image: "none" }] };
      const pods = PODS.map((name) => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec }));
      await kubectl.apply(namespace, { apiVersion: "v1", kind: "List", items: pods });
      const [numbered, single, other, neighbor] = await Promise.all([
        clientOf(kubectl, namespace, PODS[0]),
        clientOf(kubectl, namespace, PODS[1]),
        clientOf(kubectl, namespace, PODS[2]),
        clientOf(kubectl, namespace, PODS[3]),
      ]);
      const create = async (client: KubeClient, body: object) =>
        await outcomeOf(client.create(WORKFLOW_TASK_RESULTS, namespace, body));
      const uids = await makeOwners(kubectl, namespace);
      const report = (name: string, workflow?: string, owner?: string) => reportOf(uids, name, workflow, owner);
      // The API server enforces a policy a moment after its creation.
      await awaitFact("the policy is enforced", async () => {
        return await create(neighbor, report("own-999", "own")) === "refused";
      }, { seconds: 120 });
      const refused: [string, KubeClient, object][] = [
        ["another node of the workflow", numbered, report("own-456", "own")],
        ["the workflow's own node", numbered, report("own", "own")],
        ["a node of another workflow with the same number", neighbor, report("own-123", "own")],
        ["its own node, for another workflow", numbered, report("own-123", "neighbor")],
        ["its own node, for none", numbered, report("own-123")],
        ["its own node, owned by another workflow", numbered, report("own-123", "own", "neighbor")],
        ["a node, by the pod of a workflow of one container", single, report("own-123", "own")],
      ];
      for (const [what, client, body] of refused) assertEquals([what, await create(client, body)], [what, "refused"]);
      assertEquals(await create(numbered, report("own-123", "own")), "taken");
      assertEquals(await create(single, report("own", "own")), "taken");
      const patch = async (client: KubeClient, change: object) =>
        await outcomeOf(client.patch(WORKFLOW_TASK_RESULTS, namespace, "own-123", change));
      assertEquals(await patch(other, { phase: "Succeeded" }), "refused");
      assertEquals(await patch(neighbor, { phase: "Succeeded" }), "refused");
      assertEquals(await patch(numbered, { metadata: { labels: { [LABEL.workflow]: "neighbor" } } }), "refused");
      assertEquals(await patch(numbered, { phase: "Succeeded" }), "taken");
    } finally {
      await kubectl.output("delete", "namespace", namespace, "--wait=false");
    }
  },
}];

/** The outcome of a write: `refused` if it is invalid, as policies report it, or forbidden. */
async function outcomeOf(write: Promise<unknown>): Promise<"taken" | "refused"> {
  try {
    await write;
    return "taken";
  } catch (error) {
    const sort = classifyError(error);
    if (sort === "invalid" || sort === "forbidden") return "refused";
    throw error;
  }
}
