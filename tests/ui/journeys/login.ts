/** Journeys of who is not let in, and of who comes back. */
import { type Journey, journey } from "../journey.ts";

const refusal = (status: number, message: string) => Response.json({ code: 16, message }, { status });

export const LOGIN: readonly Journey[] = [
  journey("UI-06 a session that ends leads to the login, and back to the same list", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(401);
    await feed.run("etl-1", { phase: "Failed" });
    feed.fault = (_request, headers) =>
      headers.get("cookie")?.includes("authorization") ? undefined : refusal(401, "token not valid");
    await open(`${feed.url}workflows/data?phase=Failed`);
    await page.getByRole("alert").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Token of a service account").fill("a-token");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
    await page.waitForURL(`${feed.url}workflows/data?phase=Failed`);
  }),
  journey("UI-07 behind a base href all stays below it", async ({ feed, open, page }) => {
    await feed.run("etl-1");
    await open(`${feed.url}login?redirect=${encodeURIComponent(`${feed.url}workflows/data`)}`);
    await page.getByLabel("Token of a service account").fill("a-token");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "etl-1", exact: true }).click();
    await page.getByRole("heading", { name: "etl-1" }).waitFor();
    await page.waitForURL(({ href }) => href.startsWith(`${feed.url}workflows/data/etl-1`));
    await page.reload();
    await page.getByRole("heading", { name: "etl-1" }).waitFor();
  }, { baseHref: "/a/b/" }),
  journey("UI-08 who may not list is told the verb, the resource and the namespace", async (scene) => {
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
