import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { FakeWorld, type FakeWorldOptions } from "../testing/fake_world.ts";

const SUSPENDED = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "half-way" },
  spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
};

/**
 * Runs `local`, interrupts it with Ctrl-C after it is ready and `meanwhile` has finished, and returns its exit code.
 */
async function runLocal(world: FakeWorld, args: readonly string[], meanwhile: () => Promise<void>): Promise<number> {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  world.onOut = (text) => text.includes("Press Ctrl-C to stop it") && resolve();
  const ended = world.run("local", ...args);
  await Promise.race([ready, ended]);
  await meanwhile();
  world.interrupt();
  return await ended;
}

function worldWith(options: FakeWorldOptions = {}): FakeWorld {
  return new FakeWorld({ env: { HOME: "/users/me" }, ...options });
}

Deno.test("local: prints the address of the cluster and how to use it, and runs until Ctrl-C", async () => {
  using world = worldWith();
  const code = await runLocal(world, ["--port", "6443", "--allow-host-path", "--settings", "settings.yaml"], () => {
    assertEquals(world.localClusters, 1);
    return Promise.resolve();
  });
  assertEquals([code, world.localClusters], [0, 0]);
  const data = "/users/me/.local/share/tiphys";
  assertEquals(
    world.output,
    `The embedded cluster runs at https://127.0.0.1:6443 with container runtime fake
Data folder: ${data}

The page (the link is valid until the cluster ends):

  http://127.0.0.1:2747/#ticket=of-a-test

For kubectl and other tools:

  export KUBECONFIG=${data}/kubeconfig

To use it with tiphys, set --local. Press Ctrl-C to stop it
`,
  );
  const { port, tls, allowHostPath, dataDir, settings } = world.localClusterOptions!;
  assertEquals([port, tls, allowHostPath, dataDir, settings], [6443, true, true, data, "settings.yaml"]);
});

Deno.test("local: lists unfinished workflows, and quotes paths for the shell", async () => {
  using world = worldWith();
  await world.client.create(WORKFLOWS, "default", SUSPENDED);
  await runLocal(world, ["--data", "/my data"], () => Promise.resolve());
  assertStringIncludes(world.output, "Unfinished workflows: half-way\n");
  assertStringIncludes(world.output, "export KUBECONFIG='/my data/kubeconfig'\n");
});

Deno.test("local: opens the page in a browser if there is a terminal, and not with --no-open or --no-ui", async () => {
  const terminal = { columns: 80, rows: 24 };
  for (
    const [args, options, opened] of [
      [[], { terminal }, ["http://127.0.0.1:2747/#ticket=of-a-test"]],
      [["--no-open"], { terminal }, []],
      [["--no-ui"], { terminal }, []],
      [[], {}, []],
    ] as const
  ) {
    using world = worldWith(options);
    await runLocal(world, args, () => Promise.resolve());
    assertEquals(world.opened, [...opened], args.join());
  }
});

Deno.test("local: --no-ui disables the page, and --ui-port sets its port", async () => {
  using world = worldWith();
  await runLocal(world, ["--no-ui"], () => Promise.resolve());
  assertEquals([world.localClusterOptions!.page, world.output.includes("#ticket=")], [undefined, false]);
  await runLocal(world, ["--ui-port", "8080"], () => Promise.resolve());
  assertEquals(world.localClusterOptions!.page, { port: 8080 });
});

Deno.test("local: an invalid port exits with 2", async () => {
  using world = worldWith();
  assertEquals(await world.run("local", "--port", "70000"), 2);
  assertStringIncludes(world.errors, "Expected a number from 0 to 65535");
});

Deno.test("local status: prints the address of the cluster, and exits with 1 if it does not run", async () => {
  using world = worldWith();
  assertEquals(await world.run("local", "status", "--data", "/data"), 1);
  assertEquals(
    world.errors,
    "No embedded cluster runs with data folder /data: start one with  tiphys local --data /data\n",
  );
  await world.client.create(WORKFLOWS, "default", SUSPENDED);
  world.localClusters = 1;
  assertEquals(await world.run("local", "status", "--data", "/data"), 0);
  assertEquals(
    world.output,
    "The embedded cluster runs at https://127.0.0.1:6443, process 42\nData folder: /data\n" +
      "Unfinished workflows: half-way\n",
  );
});

Deno.test("local kubeconfig: prints the kubeconfig of the running cluster", async () => {
  using world = worldWith();
  assertEquals(await world.run("local", "kubeconfig"), 1);
  world.localClusters = 1;
  assertEquals(await world.run("local", "kubeconfig"), 0);
  assertStringIncludes(world.output, "server: https://127.0.0.1:6443\n");
});

Deno.test("local reset: removes data only after a confirmation or with --yes", async () => {
  using denied = worldWith({ confirms: false });
  assertEquals(await denied.run("local", "reset", "--data", "/data"), 1);
  assertEquals([denied.questions, denied.removed], [
    ["Remove all workflows, logs, claims and artifacts in /data?"],
    [],
  ]);
  using confirmed = worldWith({ confirms: true });
  assertEquals(await confirmed.run("local", "reset", "--data", "/data"), 0);
  assertEquals(confirmed.removed, ["/data"]);
  using unattended = worldWith();
  assertEquals(await unattended.run("local", "reset", "--data", "/data", "--yes"), 0);
  assertEquals([unattended.questions, unattended.removed], [[], ["/data"]]);
  assert(unattended.output.includes("/data"));
});
