import { assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { CONFIG, containerOf, podFor } from "../testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };

Deno.test("mainContainers() merges every main container over the controller's defaults", () => {
  const mainContainer = {
    imagePullPolicy: "Always",
    env: [{ name: "A", value: "default" }, { name: "B", value: "b" }],
  };
  const container = { ...CONTAINER.container, env: [{ name: "A", value: "own" }] };
  const main = containerOf(podFor({ container }, { config: { ...CONFIG, mainContainer } }), "main");
  assertEquals(main.imagePullPolicy, "Always");
  assertEquals(main.env?.find(({ name }) => name === "A")?.value, "own");
  assertEquals(main.env?.find(({ name }) => name === "B")?.value, "b");
});
