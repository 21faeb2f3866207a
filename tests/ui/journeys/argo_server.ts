/** Journeys before Argo's own server, which knows nothing that is ours alone: the page asks it as Argo's page does. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "../../../lib/api/mod.ts";
import { WORKFLOWS } from "../../../lib/kube/mod.ts";
import { awaitFact } from "../../await_fact.ts";
import { ARGO_NAMESPACE as NAMESPACE, beforeArgo } from "../feed/before_argo.ts";
import type { Journey } from "../journey.ts";
import { holds } from "../played/played_journey.ts";

const container = { image: "busybox", command: ["true"] };

function workflow(name: string, spec: unknown) {
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name }, spec };
}

export const ARGO_SERVER: readonly Journey[] = [
  beforeArgo("UI-89 before Argo's server hello-world is run by a button, and seen to succeed", async (scene) => {
    const { address, open, page } = scene;
    await open(`${address}/workflows/${NAMESPACE}`);
    await page.getByRole("button", { name: "Run hello-world" }).click();
    await page.waitForURL(/workflows\/default\/hello-world-/);
    await page.getByText("Succeeded").first().waitFor();
  }),
  beforeArgo(
    "UI-89 before Argo's server a choice is given to the node that waits, and the run goes on",
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
      await page.locator(".resume button").click();
      await page.getByText("Succeeded").first().waitFor();
      const nodes = Object.values(
        (await scene.world.client.get<Workflow>(WORKFLOWS, NAMESPACE, "approval")).status!.nodes!,
      );
      const gate = nodes.find(({ displayName }) => displayName === "approve");
      assertEquals(gate?.outputs?.parameters?.map(({ value }) => value), ["yes"]);
    },
  ),
  beforeArgo("UI-89 before Argo's server a failed run is retried as its plan says", async (scene) => {
    const { address, open, page, submit, world } = scene;
    await submit(workflow("bad", { entrypoint: "main", templates: [{ name: "main", container }] }));
    await open(`${address}/workflows/${NAMESPACE}/bad`);
    await page.getByText("Failed").first().waitFor();
    const { finishedAt } = (await world.client.get<Workflow>(WORKFLOWS, NAMESPACE, "bad")).status!;
    await page.getByRole("button", { name: "Retry…" }).click();
    await page.locator(".plan").getByText("1 node runs again").waitFor();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await page.locator(".dialog").waitFor({ state: "detached" });
    await awaitFact("it has failed again", async () => {
      const { status } = await world.client.get<Workflow>(WORKFLOWS, NAMESPACE, "bad");
      return status?.phase === "Failed" && status.finishedAt !== finishedAt;
    }, { seconds: 30 });
  }),
  beforeArgo("UI-89 before Argo's server a log is shown as it is written, and again after a reload", async (scene) => {
    const { address, open, page, submit } = scene;
    await submit(workflow("slow", { entrypoint: "main", templates: [{ name: "main", container }] }));
    await open(`${address}/workflows/${NAMESPACE}/slow?tab=logs`);
    const isThere = "document.querySelector('.log-foot')?.textContent.startsWith('2 lines')";
    await holds(page, isThere);
    await page.reload();
    await holds(page, isThere);
    await page.locator(".log-line .log-text", { hasText: /^two$/ }).waitFor();
  }),
];
