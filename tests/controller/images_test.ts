/**
 * Commands of images that neither the template nor the settings name: requested from the registry with the pod's pull
 * secrets.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ALLOW_ALL } from "@tiphys/base/net";
import { fetchImageCommand } from "@tiphys/registry/image_command";
import { SECRETS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { indexOf, madeImage, serveRegistry } from "../../local/image/testing/made_image.ts";
import { ControllerWorld } from "./world.ts";

const LOGIN = { username: "me", password: "hunter22" };

function workflow(name: string, image: string, more = ""): string {
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main${more}
  templates: [{name: main, container: {image: "${image}"}}]`;
}

/** The command and arguments that the main container of a pod runs under the emissary. */
async function commandOf(world: ControllerWorld, pod: string): Promise<string[]> {
  const { spec } = await world.awaitPod(pod);
  const main = spec.containers.find(({ name }) => name === "main");
  const words = [...main?.command ?? [], ...main?.args ?? []];
  return words.slice(words.indexOf("--") + 1);
}

/** Starts a controller that sends requests to registries. */
async function startWorld(world: ControllerWorld): Promise<void> {
  world.configure({ looksUpImages: true });
  await world.startController({
    fetchImageCommand: (reference, secrets) => fetchImageCommand(reference, secrets, ALLOW_ALL),
  });
}

const IMAGE = await madeImage([[{ name: "tool", text: "x" }]], { Entrypoint: ["/tool", "--fast"], Cmd: ["all"] });

Deno.test("image command: requested from the registry once for all workflows; from an index, the image of this platform is used", async () => {
  await using registry = serveRegistry({ "tool:1": indexOf({ amd64: IMAGE, arm64: IMAGE }) });
  await using world = new ControllerWorld();
  await startWorld(world);
  for (const name of ["a", "b"]) await world.submit(workflow(name, `${registry.host}/tool:1`));
  for (const name of ["a", "b"]) assertEquals(await commandOf(world, name), ["/tool", "--fast", "all"]);
  assertEquals(registry.requests.filter((path) => path.endsWith("/manifests/1")).length, 1);
  await world.submit(workflow("c", `${registry.host}/tool:1`));
  await world.awaitPod("c");
  assertEquals(registry.requests.filter((path) => path.endsWith("/manifests/1")).length, 1);
});

Deno.test("image command: an entry in the settings has priority, and no request is sent", async () => {
  await using registry = serveRegistry({ "tool:1": IMAGE });
  await using world = new ControllerWorld();
  await startWorld(world);
  world.configure({}, { images: { [`${registry.host}/tool:1`]: { entrypoint: ["/mine"] } } });
  await world.submit(workflow("a", `${registry.host}/tool:1`));
  assertEquals(await commandOf(world, "a"), ["/mine"]);
  assertEquals(registry.requests, []);
});

Deno.test("image command: the pull secrets of the pod and of its service account authenticate at the registry", async () => {
  await using registry = serveRegistry({ "tool:1": IMAGE }, LOGIN);
  await using world = new ControllerWorld();
  const config = { auths: { [registry.host]: { auth: btoa(`${LOGIN.username}:${LOGIN.password}`) } } };
  await world.client.create(SECRETS, "default", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "login" },
    type: "kubernetes.io/dockerconfigjson",
    data: { ".dockerconfigjson": btoa(JSON.stringify(config)) },
  });
  await world.client.create(SERVICE_ACCOUNTS, "default", {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "known" },
    imagePullSecrets: [{ name: "login" }],
  });
  await startWorld(world);
  const image = `${registry.host}/tool:1`;
  await world.submit(workflow("a", image, "\n  imagePullSecrets: [{name: login}]"));
  await world.submit(workflow("b", image, "\n  serviceAccountName: known"));
  await world.submit(workflow("stranger", image));
  assertEquals(await commandOf(world, "a"), ["/tool", "--fast", "all"]);
  assertEquals(await commandOf(world, "b"), ["/tool", "--fast", "all"]);
  await world.waitUntil("it is refused", async () => (await world.workflow("stranger")).status?.phase === "Error");
  const { message = "" } = (await world.workflow("stranger")).status ?? {};
  assertStringIncludes(message, `failed to look-up entrypoint/cmd for image "${image}"`);
  assertStringIncludes(message, "no token: 401");
  assert(!world.logLines.some((line) => line.includes(LOGIN.password)));
});

Deno.test("image command: a missing image, and one without a command, fail the node with the reason", async () => {
  const empty = await madeImage([[{ name: "x", text: "x" }]]);
  await using registry = serveRegistry({ "empty:1": empty });
  await using world = new ControllerWorld();
  await startWorld(world);
  await world.submit(workflow("nowhere", `${registry.host}/none:1`));
  await world.submit(workflow("empty", `${registry.host}/empty:1`));
  await world.submit(workflow("misspelled", "Not An Image"));
  const messages: string[] = [];
  for (const name of ["nowhere", "empty", "misspelled"]) {
    await world.waitUntil(`${name} ended`, async () => (await world.workflow(name)).status?.phase === "Error");
    messages.push((await world.workflow(name)).status?.message ?? "");
  }
  assertStringIncludes(messages[0]!, "404");
  assertStringIncludes(messages[1]!, "the image names neither an entrypoint nor a cmd");
  assertStringIncludes(messages[2]!, "invalid reference format");
});

Deno.test("image command: the node waits for a registry that does not respond, with a message", async () => {
  const registry = serveRegistry({ "tool:1": IMAGE });
  const { host } = registry;
  await registry[Symbol.asyncDispose]();
  await using world = new ControllerWorld();
  await startWorld(world);
  await world.submit(workflow("a", `${host}/tool:1`));
  await world.waitUntil("the message of the node names the reason", async () => {
    const node = (await world.workflow("a")).status?.nodes?.a;
    return node?.phase === "Pending" && (node.message ?? "").includes("cannot be reached");
  });
  assertEquals((await world.workflow("a")).status?.phase, "Running");
});
