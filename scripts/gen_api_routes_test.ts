import { assert, assertEquals } from "@std/assert";
import { readRoutes } from "../ui/model/api_routes.ts";
import { apiRoutes, storedRoutes } from "./gen_api_routes.ts";

Deno.test("storedRoutes: stores shared options once, and readRoutes returns the routes with all fields", () => {
  const stored = storedRoutes();
  assertEquals(readRoutes(stored), apiRoutes());
  assert(stored.options.listOptions!.includes("limit: int"));
  assertEquals(stored.routes[0]!.query![0], "listOptions.*");
});
