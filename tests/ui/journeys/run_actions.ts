/** Journeys on the actions on one run: approval, retry, resubmit, and missing rights. */
import { assert, assertEquals } from "@std/assert";
import { awaitFact } from "../../await_fact.ts";
import { chooseIn, openMenu } from "../browser.ts";
import type { Journey } from "../journey.ts";
import { played, texts } from "../played/played_journey.ts";
import { failedRun, growingRun, waitingRun, withVersion } from "../played/played_runs.ts";

export const RUN_ACTIONS: readonly Journey[] = [
  played(
    "UI-49 approval: a choice is submitted to the waiting node, and only that node continues",
    "approval",
    (server) => {
      server.show(waitingRun("approval"));
    },
    async (page, server) => {
      await page.click(".sentence-text a");
      await page.waitForSelector(".resume");
      assertEquals(await texts(page, ".resume option"), ["Choose…", "yes", "no"]);
      assertEquals(await page.locator(".resume select").inputValue(), "");
      assert(await page.locator(".resume button[type=submit]").isDisabled());
      await page.selectOption(".resume select", "yes");
      await page.click(".resume button[type=submit]");
      await awaitFact("the node was resumed", () => server.stage.actions.some(({ verb }) => verb === "resume"), {
        seconds: 60,
      });
      assertEquals(
        server.stage.actions.map(({ verb, body }) => [verb, body.nodeFieldSelector, body.outputParameters]),
        [
          ["set", "id=gate", '{"go":"yes"}'],
          ["resume", "id=gate", undefined],
        ],
      );
      server.show(withVersion(server.stage.runs.get("approval")!, "2"));
    },
  ),
  played("UI-49 approval: several checked choices are submitted as a list", "approval", (server) => {
    const run = waitingRun("approval");
    const gate = run.status!.nodes!.gate!;
    const inputs = { parameters: [{ name: "go", value: '["no"]', enum: ["yes", "no"] }] };
    server.show({ ...run, status: { ...run.status, nodes: { ...run.status!.nodes, gate: { ...gate, inputs } } } });
  }, async (page, server) => {
    await page.click(".sentence-text a");
    const boxes = page.getByRole("group", { name: "go" });
    await boxes.getByRole("checkbox", { name: "yes" }).check();
    await page.click(".resume button[type=submit]");
    await awaitFact("the node was resumed", () => server.stage.actions.some(({ verb }) => verb === "resume"), {
      seconds: 60,
    });
    assertEquals(server.stage.actions[0]?.body.outputParameters, JSON.stringify({ go: '["yes"]' }));
    server.show(withVersion(server.stage.runs.get("approval")!, "2"));
  }),
  ...(["retry", "resubmit"] as const).map((verb) =>
    played(`UI-50 ${verb}: submits several choices as a list`, `etl?sidePanel=${verb}`, async (server) => {
      const run = await failedRun("etl");
      const parameters = [{ name: "region", value: "[]", enum: ["eu", "us"] }];
      server.show({ ...run, spec: { ...run.spec, arguments: { parameters } } });
    }, async (page, server) => {
      const boxes = page.getByRole("dialog").getByRole("group", { name: "region" });
      for (const name of ["us", "eu"]) await boxes.getByRole("checkbox", { name }).check();
      await page.click(".dialog button[type=submit]:enabled");
      await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
      assertEquals([server.stage.actions[0]?.verb, server.stage.actions[0]?.body.parameters], [verb, [
        'region=["eu","us"]',
      ]]);
    })
  ),
  played("UI-50 retry: the preview lists what will run again", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page, server) => {
    server.stage.actions.length = 0;
    await page.keyboard.press("r");
    await page.waitForSelector(".plan ul li");
    assertEquals(await texts(page, ".plan li"), ["validate Failed", "etl.onExit Succeeded"]);
    await page.locator(".plan").getByText("1 skipped node is evaluated again").waitFor();
    await page.selectOption(".dialog select", "us");
    await page.click(".dialog button[type=submit]");
    await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
    assertEquals(server.stage.actions[0]?.verb, "retry");
    assertEquals(server.stage.actions[0]?.body.parameters, ["region=us"]);
    server.show(withVersion(server.stage.runs.get("etl")!, "2"));
  }),
  played(
    "UI-51 retry: runs a succeeded node and its successors again, and no others",
    "etl",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page, server) => {
      await page.locator('.part[data-key="etl.extract"]').click();
      await page.waitForSelector(".node-panel");
      await page.keyboard.press("r");
      await page.waitForSelector(".plan ul li");
      const again = await texts(page, ".plan li");
      assert(again.some((text) => text.startsWith("extract")), again.join());
      await page.click(".dialog button[type=submit]");
      await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
      const { verb, body } = server.stage.actions[0]!;
      assertEquals([verb, body.restartSuccessful], ["retry", true]);
      assert(String(body.nodeFieldSelector).startsWith("id="));
      server.show(withVersion(server.stage.runs.get("etl")!, "2"));
    },
  ),
  played("UI-51 retry: nodes selected by their fields run again in addition to failed ones", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page, server) => {
    await page.keyboard.press("r");
    await page.locator(".plan").getByText("2 nodes run again").waitFor();
    await page.locator(":focus", { hasText: "Retry etl" }).waitFor();
    const selector = page.getByLabel("Succeeded nodes to run again");
    await selector.fill("colour=red");
    await page.getByRole("alert").getByText("Expected a field of nodes").waitFor();
    assert(await page.locator(".dialog button[type=submit]").isDisabled());
    await selector.fill("displayName=deep");
    await page.locator(".plan li", { hasText: "deep" }).waitFor();
    const again = ["deep Succeeded", "count Succeeded", "validate Failed", "etl.onExit Succeeded"];
    assertEquals(await texts(page, ".plan li"), again);
    await page.click(".dialog button[type=submit]");
    await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
    const { verb, body } = server.stage.actions[0]!;
    assertEquals([verb, body.restartSuccessful, body.nodeFieldSelector], ["retry", true, "displayName=deep"]);
    server.show(withVersion(server.stage.runs.get("etl")!, "2"));
  }),
  played("UI-54 resubmit: reusing results with new parameters shows a warning", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page, server) => {
    await chooseIn(page, "More", "Resubmit…");
    await page.getByLabel("Reuse the results of succeeded nodes").check();
    await page.locator(".plan li", { hasText: "extract" }).waitFor();
    const kept = await texts(page, ".plan li");
    assert(kept.includes("extract") && kept.includes("deep") && !kept.includes("validate"), kept.join());
    await page.selectOption(".dialog select", "us");
    await page.getByText("keep the outputs that they produced with the old parameters").waitFor();
    await page.click(".dialog button[type=submit]");
    await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
    const { verb, body } = server.stage.actions[0]!;
    assertEquals([verb, body.memoized, body.parameters], ["resubmit", true, ["region=us"]]);
  }),
  played(
    "UI-54 resubmit: a URL opens the dialog with its options, on a narrow page",
    "etl?sidePanel=resubmit",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      await page.locator(":focus", { hasText: "Resubmit etl" }).waitFor();
      await page.getByLabel("Reuse the results of succeeded nodes").check();
      await page.locator(".plan li", { hasText: "extract" }).waitFor();
    },
    { width: 390, height: 844 },
  ),
  played(
    "UI-54 actions: those that the user may not use on a run are disabled, with the missing rights, also in a dialog",
    "etl",
    async (server) => {
      server.show(await failedRun("etl"));
      const rule = { group: "argoproj.io", resource: "workflows" };
      server.stage.lacks = { delete: [{ ...rule, verb: "delete" }], resubmit: [{ ...rule, verb: "create" }] };
    },
    async (page) => {
      await page.getByText("Delete: you lack the right to delete workflows.argoproj.io.").waitFor();
      await openMenu(page, "More");
      assert(await page.getByRole("button", { name: "Delete" }).isDisabled());
      assert(await page.getByRole("button", { name: "Resubmit…", exact: true }).isDisabled());
      assert(await page.getByRole("button", { name: "Retry…" }).isEnabled());
      await page.goto(`${page.url()}?sidePanel=resubmit`);
      await page.locator(".dialog").getByText("You lack the right to create workflows.argoproj.io.").waitFor();
      await page.locator(".dialog li, .dialog .plan").first().waitFor();
      assert(await page.locator(".dialog button[type=submit]").isDisabled());
    },
  ),
  played("UI-54 actions: the line of missing rights names the visible buttons", "dag", (server) => {
    server.show(growingRun("dag", 4, "2"));
    const right = [{ group: "argoproj.io", resource: "workflows", verb: "update" }];
    server.stage.lacks = { resume: right, suspend: right, retry: right, stop: right };
  }, async (page) => {
    await page.getByText("Suspend, Stop: you lack the right to update workflows.argoproj.io.", { exact: true })
      .waitFor();
  }),
];
