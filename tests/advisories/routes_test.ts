/**
 * Parts of Argo's server answered unauthenticated requests: all routes if its auth mode was `server`, then the default
 * (GHSA-rc7p-gmvh-xfx2), archived workflows with any token or without one (CVE-2024-53862), and templates at an
 * endpoint without authentication (CVE-2026-28229). This file tests the embedded API; `server/gate` has the tests of
 * the server.
 */
import { assert, assertEquals } from "@std/assert";
import { createApiServer } from "../../local/api/mod.ts";
import { everyRoute, OPEN } from "./every_route.ts";

const STRANGERS: Readonly<Record<string, Record<string, string>>> = {
  "nobody": {},
  "an empty token": { authorization: "Bearer " },
  "an unknown token": { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9." },
  "another scheme": { authorization: "Basic YWRtaW46YWRtaW4=" },
};

for (const advisory of ["GHSA-rc7p-gmvh-xfx2", "CVE-2024-53862", "CVE-2026-28229"]) {
  const mine = { "GHSA-rc7p-gmvh-xfx2": "", "CVE-2024-53862": "workflows", "CVE-2026-28229": "templates" }[advisory]!;
  Deno.test(`${advisory}: every route answers 401 to a request without a valid token`, async () => {
    const api = createApiServer({ storePath: ":memory:" });
    const served = await api.serve(0);
    try {
      const routes = (await everyRoute(api)).filter(({ path }) => path.includes(mine));
      assert(routes.length > (mine === "" ? 1000 : 20), `${routes.length} routes`);
      // Each request has one kind of invalid credentials, in turn, so that every path meets each kind.
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
