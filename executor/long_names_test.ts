/** Tests of names at the limit of the file system (255 bytes), and of paths that conflict with each other. */
import { assertEquals, assertRejects } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { stageTemplate } from "./before_main/stage.ts";
import { collectOutputs } from "./command/collect.ts";
import { confineSharedFiles } from "./pod/confined_files.ts";
import type { TemplateArtifact } from "./pod/template.ts";
import { memoryStore } from "./testing/memory_store.ts";
import { testWorld } from "./testing/world.ts";
import { at } from "./world.ts";

const never = new AbortController().signal;
const LONG = "n".repeat(255);

Deno.test("long names: an output parameter and a shared file may have a name of 255 bytes", async () => {
  await using world = await testWorld();
  await world.write(`/out/${LONG}`, "value");
  await collectOutputs(world, { outputs: { parameters: [{ name: "p", valueFrom: { path: `/out/${LONG}` } }] } });
  assertEquals(await world.read(`${PATH.outputParameters}/out/${LONG}`), "value");
  confineSharedFiles(world);
  world.files.write(at(world, `${PATH.outputParameters}/out/${LONG}`), "other");
  assertEquals(world.files.read(at(world, `${PATH.outputParameters}/out/${LONG}`), 10), "other");
});

Deno.test("long names: an output artifact may have a name of 251 bytes, which is 255 with .tgz", async () => {
  await using world = await testWorld();
  const path = `/out/${LONG.slice(4)}`;
  await world.write(path, "content");
  await collectOutputs(world, { outputs: { artifacts: [{ name: "a", path }] } });
  const copies = [...Deno.readDirSync(at(world, `${PATH.outputArtifacts}/out`))].map(({ name }) => name);
  assertEquals(copies, [`${LONG.slice(4)}.tgz`]);
});

Deno.test("long names: input artifacts may have names of 255 bytes with a long common prefix", async () => {
  const store = memoryStore();
  const names = [`${LONG.slice(1)}a`, `${LONG.slice(1)}b`, "0"];
  const artifacts: TemplateArtifact[] = names.map((name, index) => ({ name, path: `/in/${index}`, s3: { key: name } }));
  for (const name of names) store.objects.set(name, new TextEncoder().encode(name));
  const env = { [ENV.template]: JSON.stringify({ container: {}, inputs: { artifacts } }) };
  await using world = await testWorld({ container: "supervisor", env, driverFor: store.driverFor });
  await stageTemplate(world, never);
  for (const name of names) {
    assertEquals(await Deno.readTextFile(at(world, `${PATH.inputArtifacts}/${name}`)), name);
  }
});

Deno.test("long names: two outputs whose copies conflict fail with an error that names the second", async () => {
  await using world = await testWorld();
  await world.write("/a", "one");
  await world.write("/a.tgz/b", "two");
  const artifacts = [{ name: "a", path: "/a" }, { name: "b", path: "/a.tgz/b" }];
  await assertRejects(() => collectOutputs(world, { outputs: { artifacts } }), Error, "output artifact /a.tgz/b: ");
});
