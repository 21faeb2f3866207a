/** Journeys with Argo's own server, which lacks our extensions: the page only uses Argo's API. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../await_fact.ts";
import { ARGO_NAMESPACE as NAMESPACE, withArgoServer } from "../feed/argo_server.ts";
import { seededRun } from "../feed/feed.ts";
import type { Journey } from "../journey.ts";
import { awaitTrue } from "../played/played_journey.ts";

const container = { image: "busybox", command: ["true"] };

/** The labels of a run that the controller has archived. */
const ARCHIVED = {
  "workflows.argoproj.io/completed": "true",
  "workflows.argoproj.io/workflow-archiving-status": "Pending",
};

function workflow(name: string, spec: unknown) {
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name }, spec };
}

export const ARGO_SERVER: readonly Journey[] = [
  withArgoServer("UI-89 Argo's server: hello-world is submitted with a button, and succeeds", async (scene) => {
    const { address, open, page } = scene;
    await open(`${address}/workflows/${NAMESPACE}`);
    await page.getByRole("button", { name: "Run hello-world" }).click();
    await page.waitForURL(/workflows\/default\/hello-world-/);
    await page.getByText("Succeeded").first().waitFor();
  }),
  withArgoServer(
    "UI-89 Argo's server: a choice is submitted to the waiting node, and the run continues",
    async (scene) => {
      const { address, open, page, submit } = scene;
      const go = { name: "go", enum: ["yes", "no"], default: "no" };
      await submit(workflow("approval", {
        entrypoint: "main",
        templates: [
          { name: "main", steps: [[{ name: "approve", template: "gate" }], [{ name: "deploy", template: "work" }]] },
          {
            name: "gate",
            inputs: { parameters: [go] },
            suspend: {},
            outputs: { parameters: [{ name: "go", valueFrom: { supplied: {} } }] },
          },
          { name: "work", container },
        ],
      }));
      await open(`${address}/workflows/${NAMESPACE}/approval`);
      await page.locator(".sentence-text a").click();
      await page.locator(".resume select").selectOption("yes");
      await page.locator(".resume button[type=submit]").click();
      await page.getByText("Succeeded").first().waitFor();
      const nodes = Object.values(
        (await scene.world.client.get<Workflow>(WORKFLOWS, NAMESPACE, "approval")).status!.nodes!,
      );
      const gate = nodes.find(({ displayName }) => displayName === "approve");
      assertEquals(gate?.outputs?.parameters?.map(({ value }) => value), ["yes"]);
    },
  ),
  withArgoServer("UI-89 Argo's server: a failed run is retried as in the preview", async (scene) => {
    const { address, open, page, submit, world } = scene;
    await submit(workflow("bad", { entrypoint: "main", templates: [{ name: "main", container }] }));
    await open(`${address}/workflows/${NAMESPACE}/bad`);
    await page.getByText("Failed").first().waitFor();
    const { finishedAt } = (await world.client.get<Workflow>(WORKFLOWS, NAMESPACE, "bad")).status!;
    await page.getByRole("button", { name: "Retry…" }).click();
    await page.locator(".plan").getByText("1 node runs again").waitFor();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await page.locator(".dialog").waitFor({ state: "detached" });
    await awaitFact("the run has failed again", async () => {
      const { status } = await world.client.get<Workflow>(WORKFLOWS, NAMESPACE, "bad");
      return status?.phase === "Failed" && status.finishedAt !== finishedAt;
    }, { seconds: 30 });
  }),
  withArgoServer("UI-89 Argo's server: a log is shown while it is written, and again after a reload", async (scene) => {
    const { address, open, page, submit } = scene;
    await submit(workflow("slow", { entrypoint: "main", templates: [{ name: "main", container }] }));
    await open(`${address}/workflows/${NAMESPACE}/slow?tab=logs`);
    const isThere = "document.querySelector('.log-foot')?.textContent.startsWith('2 lines')";
    await awaitTrue(page, isThere);
    await page.reload();
    await awaitTrue(page, isThere);
    await page.locator(".log-line .log-text", { hasText: /^two$/ }).waitFor();
  }),
  withArgoServer(
    "UI-89 Argo's server: every page works, and requests no route that the server lacks",
    async (scene) => {
      const { address, open, page, world, refused, submit, expectStatus } = scene;
      // Argo Events is not installed. Argo's server ends each event stream with a 500 due to a bug.
      expectStatus(404, 500);
      const spec = {
        entrypoint: "main",
        arguments: { parameters: [{ name: "who", value: "ann" }] },
        templates: [{ name: "main", container }],
      };
      const kinds = [
        ["workflowtemplates", "WorkflowTemplate", spec],
        ["clusterworkflowtemplates", "ClusterWorkflowTemplate", spec],
        ["cronworkflows", "CronWorkflow", { schedules: ["0 0 1 1 *"], workflowSpec: spec }],
        ["workfloweventbindings", "WorkflowEventBinding", {
          event: { selector: "true" },
          submit: { workflowTemplateRef: { name: "one" } },
        }],
      ] as const;
      for (const [plural, kind, spec] of kinds) {
        const namespaced = kind !== "ClusterWorkflowTemplate";
        const object = { apiVersion: "argoproj.io/v1alpha1", kind, metadata: { name: "one" }, spec } as KubeObject;
        const resource = { ...WORKFLOWS, plural, kind, namespaced };
        await world.client.create(resource, namespaced ? NAMESPACE : undefined, object);
      }
      await submit(workflow("bad", { entrypoint: "main", templates: [{ name: "main", container }] }));
      await submit(workflow("slow", { entrypoint: "main", templates: [{ name: "main", container }] }));
      await awaitFact("the run has failed", async () => {
        const { status } = await world.client.get<Workflow>(WORKFLOWS, NAMESPACE, "bad");
        return status?.phase === "Failed";
      }, { seconds: 30 });
      const tabs = ["graph", "timeline", "tree", "logs", "events", "manifest", "artifacts", "compare"];
      const addresses: Readonly<Record<string, readonly string[]>> = {
        Runs: [
          "workflows",
          "workflows/default?phase=Failed&Contains=a",
          "workflows/default?sidePanel=submit-new-workflow",
        ],
        bad: [...tabs.map((tab) => `tab=${tab}`), "show=critical", "sidePanel=retry"].map((query) =>
          `workflows/default/bad?${query}`
        ),
        slow: ["workflows/default/slow?tab=timeline&nodeId=slow&nodePanelView=why"],
        Templates: ["workflow-templates/default", "cluster-workflow-templates"],
        one: [
          "workflow-templates/default/one",
          "workflow-templates/default/one?tab=manifest",
          "cluster-workflow-templates/one",
          "cron-workflows/default/one",
        ],
        Schedules: ["cron-workflows"],
        Events: ["event-flow/default", "sensors/default", "event-sources/default", "workflow-event-bindings/default"],
        Reports: ["reports/default", "reports/default?tab=steps"],
        You: ["userinfo"],
        API: ["apidocs"],
        Help: ["help", "plugins"],
      };
      for (const [heading, those] of Object.entries(addresses)) {
        for (const link of those) {
          await open(`${address}/${link}`);
          await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
        }
      }
      // The help page lists the features that only our server has.
      await page.getByRole("heading", { name: "This server" }).waitFor();
      const lacking = refused.filter((link) =>
        !/^502 |^404 .*\/(event-sources|sensors)\/|^500 .*\/stream\/events\//.test(link)
      );
      assertEquals(lacking, []);
    },
  ),
  withArgoServer(
    "UI-89 Argo's server: artifacts are read: a file, a folder, and the log of a deleted pod",
    async (scene) => {
      const { address, open, page, runWithArtifacts } = scene;
      const run = seededRun("etl", { phase: "Succeeded" });
      await runWithArtifacts({ ...run, metadata: { ...run.metadata, namespace: NAMESPACE } }, {
        "note.txt": "it went well",
        "out/a.txt": "the first",
        "out/sub/b.txt": "the second",
        "main-logs": "line one\nline two\n",
      });
      const place = `${address}/workflows/${NAMESPACE}/etl`;
      await open(`${place}?tab=artifacts&artifactNode=main&artifact=outputs:note.txt`);
      await page.getByText("it went well").waitFor();
      await open(`${place}?tab=artifacts&artifactNode=main&artifact=outputs:out`);
      await page.getByRole("link", { name: "sub/" }).click();
      await page.getByRole("link", { name: "b.txt" }).click();
      await page.getByText("the second").waitFor();
      await open(`${place}?tab=logs`);
      await page.locator(".log-line .log-text", { hasText: "line two" }).waitFor();
    },
    { withArtifacts: true },
  ),
  withArgoServer(
    "UI-89 Argo's server: an archived run is shown, although the cluster has another run with its name",
    async (scene) => {
      const { address, archive, open, page, submit } = scene;
      const uid = "1aaaaaaa-0000-4000-8000-000000000001";
      const old = seededRun("bad", { phase: "Failed", labels: ARCHIVED, status: { message: "long ago" } });
      await archive({ ...old, metadata: { ...old.metadata, namespace: NAMESPACE, uid } });
      await submit(workflow("bad", { entrypoint: "main", templates: [{ name: "main", container }] }));
      await open(`${address}/workflows/${NAMESPACE}/bad?uid=${uid}`);
      await page.getByText("long ago").first().waitFor();
      await page.getByText("archived", { exact: true }).waitFor();
      // The log of the other run is not shown.
      await open(`${address}/workflows/${NAMESPACE}/bad?uid=${uid}&tab=logs`);
      await page.getByText("No log lines are available").waitFor();
    },
    { withArchive: true },
  ),
  withArgoServer(
    "UI-89 Argo's server: login with a token works below a base href, and all URLs stay below it",
    async (scene) => {
      const { address, open, page, submit, token, expectStatus } = scene;
      expectStatus(401);
      await submit(workflow("bad", { entrypoint: "main", templates: [{ name: "main", container }] }));
      await open(`${address}/workflows/${NAMESPACE}`);
      await page.getByRole("link", { name: "Log in" }).click();
      await page.getByLabel("Service account token").fill(token);
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByRole("link", { name: "bad", exact: true }).click();
      await page.getByRole("heading", { name: "bad" }).waitFor();
      assertEquals(page.url().startsWith(`${address}/workflows/${NAMESPACE}/bad`), true);
    },
    { authMode: "client", baseHref: "/a/b/" },
  ),
];
