import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CONFIG, containerOf, envOf, mountsOf, podFor, refusalFor } from "../testing/pod_request.ts";

Deno.test("wrapCommands() uses command and arguments of a listed image", () => {
  const main = containerOf(podFor({ container: { image: "listed:v1" } }), "main");
  assertEquals(main.command?.at(-1), "/entry");
  assertEquals(main.args, ["default"]);
});

Deno.test("wrapCommands() treats an empty list of arguments as arguments", () => {
  assertEquals(containerOf(podFor({ container: { image: "listed:v1", args: [] } }), "main").args, []);
});

Deno.test("wrapCommands() fails with a hint if the image is not listed", () => {
  const message = refusalFor({ container: { image: "other:v1" } });
  assertStringIncludes(message, 'failed to look-up entrypoint/cmd for image "other:v1", you must either explicitly');
  assertStringIncludes(message, "workflow-executors/#emissary-emissary");
});

Deno.test("wrapCommands() leaves the command to a machine that knows images", () => {
  const config = { ...CONFIG, nodeKnowsImages: true };
  const other = containerOf(podFor({ container: { image: "other:v1", args: ["a"] } }, { config }), "main");
  assertEquals([other.command?.at(-1), other.args], ["$(TIPHYS_IMAGE_COMMAND)", ["a"]]);
  assertEquals(
    containerOf(podFor({ container: { image: "listed:v1" } }, { config }), "main").command?.at(-1),
    "/entry",
  );
});

Deno.test("wrapCommands() wraps a container that a patch adds, and a patch cannot undo it", () => {
  const spec = {
    podSpecPatch: JSON.stringify({
      containers: [{ name: "extra", image: "x", command: ["serve"] }, { name: "main", command: ["patched"] }],
    }),
  };
  const pod = podFor({ container: { image: "busybox", command: ["sh"] } }, { spec });
  assertEquals(containerOf(pod, "extra").command?.at(-1), "serve");
  assertEquals(containerOf(pod, "main").command?.slice(-2), ["--", "patched"]);
  assert(mountsOf(pod, "extra").includes("/argo-bin"));
  assertEquals(envOf(pod, "extra", "ARGO_CONTAINER_NAME"), "extra");
  assertEquals(envOf(pod, "extra", "ARGO_NODE_ID"), "wf-123");
});

Deno.test("wrapCommands() passes the pod's grace period to every container", () => {
  const spec = { podSpecPatch: "terminationGracePeriodSeconds: 5" };
  const pod = podFor({ container: { image: "busybox", command: ["sh"] } }, { spec });
  for (const name of ["supervisor", "main"]) {
    assertEquals(envOf(pod, name, "ARGO_TERMINATION_GRACE_PERIOD_SECONDS"), "5");
  }
});

Deno.test("wrapCommands() mounts nothing over the link /argo-bin of the executor's image", () => {
  const pod = podFor({ resource: { action: "get" } });
  assert(!mountsOf(pod, "main").includes("/argo-bin"));
  assert(mountsOf(pod, "main").includes("/tmp"));
});
