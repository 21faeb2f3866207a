import { assertEquals } from "@std/assert";
import { defaultConfig } from "../controller/mod.ts";
import { ENGINE_CONFIG } from "./engine_config.ts";

Deno.test("simulate: uses the default settings of the controller", () => {
  const { engine } = defaultConfig({ executorImage: ENGINE_CONFIG.executor.image });
  const set = { ...engine, nodeEvents: false, executor: { ...engine.executor, statusFinalizer: false } };
  assertEquals(JSON.parse(JSON.stringify(ENGINE_CONFIG)), JSON.parse(JSON.stringify(set)));
});
