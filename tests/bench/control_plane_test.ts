import { assertEquals, assertNotEquals } from "@std/assert";
import { clusterSettings } from "../cluster/mod.ts";
import { benchSettings } from "./control_plane.ts";

Deno.test("benchSettings: the cluster is separate from the one of the environment", () => {
  for (const name of [undefined, "ci", "tiphys", "elevenchars"]) {
    const environment = (variable: string) => variable === "TIPHYS_CLUSTER_NAME" ? name : undefined;
    const mine = benchSettings(environment);
    const other = clusterSettings(environment);
    assertNotEquals(mine.name, other.name);
    assertNotEquals(mine.directory, other.directory);
    assertNotEquals(mine.link, other.link);
    assertEquals(mine.cache, other.cache);
  }
});
