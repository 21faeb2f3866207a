/**
 * Parts of Argo's server answered who had not said who they are: all of it where its default mode was the server's own
 * rights (GHSA-rc7p-gmvh-xfx2), archived workflows for any token or none (CVE-2024-53862), and templates by an endpoint
 * that asked nobody (CVE-2026-28229). The embedded API is the only server here yet.
 */
import { assert, assertEquals } from "@std/assert";
import { createApiServer } from "../../local/api/mod.ts";
import { everyRoute, OPEN } from "./every_route.ts";

const STRANGERS: Readonly<Record<string, Record<string, string>>> = {
  "nobody": {},
  "an empty token": { authorization: "Bearer " },
  "a token of nobody's": { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9." },
  "another scheme": { authorization: "Basic YWRtaW46YWRtaW4=" },
};

for (const advisory of ["GHSA-rc7p-gmvh-xfx2", "CVE-2024-53862", "CVE-2026-28229"]) {
  const mine = { "GHSA-rc7p-gmvh-xfx2": "", "CVE-2024-53862": "workflows", "CVE-2026-28229": "templates" }[advisory]!;
  Deno.test(`${advisory}: every route is answered with 401 to who shows no good token`, async () => {
    const api = createApiServer({ storePath: ":memory:" });
    const served = await api.serve(0);
    try {
      const routes = (await everyRoute(api)).filter(({ path }) => path.includes(mine));
      assert(routes.length > (mine === "" ? 1000 : 20), `${routes.length} routes`);
      // One kind of stranger for each request, in turn: all of them for each path.
      const kinds = Object.entries(STRANGERS);
      const wrong: string[] = [];
      for (const [index, { method, path }] of routes.entries()) {
        const [who, headers] = kinds[(index + Math.floor(index / kinds.length)) % kinds.length] ?? ["nobody", {}];
        const body = ["POST", "PUT", "PATCH"].includes(method) ? "{}" : undefined;
        const answer = await fetch(`${served.url}${path}`, { method, headers, body });
        await answer.body?.cancel();
        if (answer.status !== 401 && !OPEN.has(new URL(answer.url).pathname)) {
          wrong.push(`${method} ${path} by ${who}: ${answer.status}`);
        }
      }
      assertEquals(wrong, []);
    } finally {
      await served.close();
      api.close();
    }
  });
}
