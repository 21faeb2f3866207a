/** The end of the artifact plugins that run next to main. */
import { ENV } from "@tiphys/base/constants";
import { killContainers } from "../process/kill_containers.ts";
import type { World } from "../world.ts";
import { hasStarted } from "./life.ts";

/** Stops the plugin sidecars once nothing more is to be loaded or saved. */
export async function stopArtifactPlugins(world: World): Promise<void> {
  const names = (world.env(ENV.artifactPluginNames) ?? "").split(",").map((name) => name.trim()).filter(Boolean);
  const lived = await Promise.all(names.map((name) => hasStarted(world, name)));
  await killContainers(world, names.filter((_, index) => lived[index]));
}
