import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { FakeWorld, type FakeWorldOptions } from "../testing/fake_world.ts";

const SUSPENDED = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "half-way" },
  spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
};

/** Runs `local` until it has said that it is there; answers its exit code when Ctrl-C has ended it. */
async function stay(world: FakeWorld, args: readonly string[], meanwhile: () => Promise<void>): Promise<number> {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  world.onOut = (text) => text.includes("Ctrl-C ends it") && resolve();
  const ended = world.run("local", ...args);
  await Promise.race([ready, ended]);
  await meanwhile();
  world.interrupt();
  return await ended;
}

function worldWith(options: FakeWorldOptions = {}): FakeWorld {
  return new FakeWorld({ env: { HOME: "/users/me" }, ...options });
}

Deno.test("local says where the cluster is and how other tools find it, and stays until Ctrl-C", async () => {
  using world = worldWith();
  const code = await stay(world, ["--port", "6443", "--allow-host-path", "--settings", "settings.yaml"], () => {
    assertEquals(world.localClusters, 1);
    return Promise.resolve();
  });
  assertEquals([code, world.localClusters], [0, 0]);
  const data = "/users/me/.local/share/tiphys";
  assertEquals(
    world.output,
    `The embedded cluster runs at https://127.0.0.1:6443, containers by the fake back end
Its data: ${data}

The page, by a link that lets in once, within a minute (tiphys ui prints another):

  http://127.0.0.1:2747/#ticket=of-a-test

For kubectl and other tools:

  export KUBECONFIG=${data}/kubeconfig

tiphys finds it with --local. Ctrl-C ends it
`,
  );
  const { port, tls, allowHostPath, dataDir, settings } = world.localClusterOptions!;
  assertEquals([port, tls, allowHostPath, dataDir, settings], [6443, true, true, data, "settings.yaml"]);
});

Deno.test("local names the workflows that go on, and quotes what a shell would take apart", async () => {
  using world = worldWith();
  await world.client.create(WORKFLOWS, "default", SUSPENDED);
  await stay(world, ["--data", "/my data"], () => Promise.resolve());
  assertStringIncludes(world.output, "Workflows that go on from where they were: half-way\n");
  assertStringIncludes(world.output, "export KUBECONFIG='/my data/kubeconfig'\n");
});

Deno.test("local serves no page where none is wanted, and on the port that is named", async () => {
  using world = worldWith();
  await stay(world, ["--no-ui"], () => Promise.resolve());
  assertEquals([world.localClusterOptions!.page, world.output.includes("#ticket=")], [undefined, false]);
  await stay(world, ["--ui-port", "8080"], () => Promise.resolve());
  assertEquals(world.localClusterOptions!.page, { port: 8080 });
});

Deno.test("local ends with 2 for a port that is none", async () => {
  using world = worldWith();
  assertEquals(await world.run("local", "--port", "70000"), 2);
  assertStringIncludes(world.errors, "Expected a number from 0 to 65535");
});

Deno.test("local status ends with 1 where nothing runs, and says where it runs", async () => {
  using world = worldWith();
  assertEquals(await world.run("local", "status", "--data", "/data"), 1);
  assertEquals(world.errors, "No embedded cluster runs over /data: start one by  tiphys local\n");
  await world.client.create(WORKFLOWS, "default", SUSPENDED);
  world.localClusters = 1;
  assertEquals(await world.run("local", "status", "--data", "/data"), 0);
  assertEquals(
    world.output,
    "The embedded cluster runs at https://127.0.0.1:6443, process 42\nIts data: /data\n" +
      "Workflows that have not ended: half-way\n",
  );
});

Deno.test("local kubeconfig prints the kubeconfig of the one that runs", async () => {
  using world = worldWith();
  assertEquals(await world.run("local", "kubeconfig"), 1);
  world.localClusters = 1;
  assertEquals(await world.run("local", "kubeconfig"), 0);
  assertStringIncludes(world.output, "server: https://127.0.0.1:6443\n");
});

Deno.test("local reset removes nothing unless a person says so", async () => {
  using asked = worldWith({ confirms: false });
  assertEquals(await asked.run("local", "reset", "--data", "/data"), 1);
  assertEquals([asked.questions, asked.removed], [["Remove all workflows, logs, claims and artifacts in /data?"], []]);
  using sure = worldWith({ confirms: true });
  assertEquals(await sure.run("local", "reset", "--data", "/data"), 0);
  assertEquals(sure.removed, ["/data"]);
  using told = worldWith();
  assertEquals(await told.run("local", "reset", "--data", "/data", "--yes"), 0);
  assertEquals([told.questions, told.removed], [[], ["/data"]]);
  assert(told.output.includes("/data"));
});
