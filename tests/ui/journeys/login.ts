/** Journeys of users who are not logged in, or whose session has expired. */
import { assert, assertEquals } from "@std/assert";
import { type Journey, journey } from "../journey.ts";

const refusal = (status: number, message: string) => Response.json({ code: 16, message }, { status });

export const LOGIN: readonly Journey[] = [
  journey("UI-06 login: an expired session leads to the login, and back to the same list", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(401);
    await feed.run("etl-1", { phase: "Failed" });
    feed.fault = (_request, headers) =>
      headers.get("cookie")?.includes("authorization") ? undefined : refusal(401, "token not valid");
    await open(`${feed.url}workflows/data?phase=Failed`);
    await page.getByRole("alert").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Service account token").fill("a-token");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
    await page.waitForURL(`${feed.url}workflows/data?phase=Failed`);
  }),
  journey("UI-07 base href: all URLs stay below it", async ({ feed, open, page }) => {
    await feed.run("etl-1");
    await open(`${feed.url}login?redirect=${encodeURIComponent(`${feed.url}workflows/data`)}`);
    await page.getByLabel("Service account token").fill("a-token");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "etl-1", exact: true }).click();
    await page.getByRole("heading", { name: "etl-1" }).waitFor();
    await page.waitForURL(({ href }) => href.startsWith(`${feed.url}workflows/data/etl-1`));
    await page.reload();
    await page.getByRole("heading", { name: "etl-1" }).waitFor();
  }, { baseHref: "/a/b/" }),
  journey(
    "UI-08 You: lists the rights in a namespace, and how to use the same account in a terminal",
    async (scene) => {
      const { feed, open, page, context } = scene;
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const missing = [{ verb: "delete", group: "argoproj.io", resource: "workflows" }];
      feed.fault = ({ path }) =>
        path.endsWith("/can") && path.includes("/workflows/")
          ? Response.json({ lacks: { delete: missing } })
          : undefined;
      await open(`${feed.url}login?redirect=${encodeURIComponent(`${feed.url}userinfo?namespace=data`)}`);
      await page.getByLabel("Service account token").fill("a-token");
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByRole("heading", { name: "Your rights" }).waitFor();
      await page.getByText("delete: you lack the right to delete workflows.argoproj.io.").waitFor();
      await page.getByText("all actions of this page").first().waitFor();
      const lines = page.locator("pre", { hasText: "ARGO_SERVER" });
      const host = new URL(feed.url).host;
      assertEquals(
        await lines.innerText(),
        [
          `export ARGO_SERVER='${host}'`,
          "export ARGO_HTTP1='true'",
          "export ARGO_SECURE='false'",
          "export ARGO_BASE_HREF='/a/b'",
          "export ARGO_TOKEN='(hidden)'",
          "export ARGO_NAMESPACE='data'",
        ].join("\n"),
      );
      await page.getByRole("button", { name: "Copy with the token" }).click();
      await page.getByText("Copied").waitFor();
      assert((await page.evaluate("navigator.clipboard.readText()") as string).includes("ARGO_TOKEN='Bearer a-token'"));
      await page.getByRole("button", { name: "Show the token" }).click();
      await lines.getByText("Bearer a-token").waitFor();
    },
    { baseHref: "/a/b/" },
  ),
  journey("UI-08 forbidden list: shows the verb, the resource and the namespace", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(403);
    const words = 'workflows.argoproj.io is forbidden: User "jane" cannot list resource "workflows" in API group ' +
      '"argoproj.io" in the namespace "data"';
    feed.fault = ({ path }) => path === "/api/v1/workflows/data" ? refusal(403, words) : undefined;
    await open(`${feed.url}workflows/data`);
    await page.getByRole("heading", { name: "You may not do this" }).waitFor();
    await page.getByText(words).waitFor();
  }),
];
