/** Commands of images that nobody names: asked of the image's registry, with the pull secrets of the pod. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ANYWHERE } from "@tiphys/base/net";
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

/** The command and arguments that the main container of a pod runs behind the emissary. */
async function commandOf(world: ControllerWorld, pod: string): Promise<string[]> {
  const { spec } = await world.podMade(pod);
  const main = spec.containers.find(({ name }) => name === "main");
  const words = [...main?.command ?? [], ...main?.args ?? []];
  return words.slice(words.indexOf("--") + 1);
}

/** A world whose controller asks registries. */
async function startWorld(world: ControllerWorld): Promise<void> {
  world.configure({ looksUpImages: true });
  await world.startController({
    fetchImageCommand: (reference, secrets) => fetchImageCommand(reference, secrets, ANYWHERE),
  });
}

const IMAGE = await madeImage([[{ name: "tool", text: "x" }]], { Entrypoint: ["/tool", "--fast"], Cmd: ["all"] });

Deno.test("a registry is asked once for the command of an image, of an index for this machine's, whoever uses it", async () => {
  await using registry = serveRegistry({ "tool:1": indexOf({ amd64: IMAGE, arm64: IMAGE }) });
  await using world = new ControllerWorld();
  await startWorld(world);
  for (const name of ["a", "b"]) await world.submit(workflow(name, `${registry.host}/tool:1`));
  for (const name of ["a", "b"]) assertEquals(await commandOf(world, name), ["/tool", "--fast", "all"]);
  assertEquals(registry.requests.filter((path) => path.endsWith("/manifests/1")).length, 1);
  await world.submit(workflow("c", `${registry.host}/tool:1`));
  await world.podMade("c");
  assertEquals(registry.requests.filter((path) => path.endsWith("/manifests/1")).length, 1);
});

Deno.test("the settings' own list comes first, and nobody is asked", async () => {
  await using registry = serveRegistry({ "tool:1": IMAGE });
  await using world = new ControllerWorld();
  await startWorld(world);
  world.configure({}, { images: { [`${registry.host}/tool:1`]: { entrypoint: ["/mine"] } } });
  await world.submit(workflow("a", `${registry.host}/tool:1`));
  assertEquals(await commandOf(world, "a"), ["/mine"]);
  assertEquals(registry.requests, []);
});

Deno.test("the pull secrets of the pod, and of its service account, open a registry", async () => {
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
  await world.until("it is refused", async () => (await world.workflow("stranger")).status?.phase === "Error");
  const { message = "" } = (await world.workflow("stranger")).status ?? {};
  assertStringIncludes(message, `failed to look-up entrypoint/cmd for image "${image}"`);
  assertStringIncludes(message, "no token: 401");
  assert(!world.logLines.some((line) => line.includes(LOGIN.password)));
});

Deno.test("an image that is nowhere, and one without a command, end the node with the reason", async () => {
  const empty = await madeImage([[{ name: "x", text: "x" }]]);
  await using registry = serveRegistry({ "empty:1": empty });
  await using world = new ControllerWorld();
  await startWorld(world);
  await world.submit(workflow("nowhere", `${registry.host}/none:1`));
  await world.submit(workflow("empty", `${registry.host}/empty:1`));
  await world.submit(workflow("misspelled", "Not An Image"));
  const messages: string[] = [];
  for (const name of ["nowhere", "empty", "misspelled"]) {
    await world.until(`${name} ended`, async () => (await world.workflow(name)).status?.phase === "Error");
    messages.push((await world.workflow(name)).status?.message ?? "");
  }
  assertStringIncludes(messages[0]!, "404");
  assertStringIncludes(messages[1]!, "the image names neither an entrypoint nor a cmd");
  assertStringIncludes(messages[2]!, "invalid reference format");
});

Deno.test("a registry that does not answer is waited for, and the node says so", async () => {
  const registry = serveRegistry({ "tool:1": IMAGE });
  const { host } = registry;
  await registry[Symbol.asyncDispose]();
  await using world = new ControllerWorld();
  await startWorld(world);
  await world.submit(workflow("a", `${host}/tool:1`));
  await world.until("the node says so", async () => {
    const node = (await world.workflow("a")).status?.nodes?.a;
    return node?.phase === "Pending" && (node.message ?? "").includes("cannot be reached");
  });
  assertEquals((await world.workflow("a")).status?.phase, "Running");
});
