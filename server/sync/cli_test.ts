/**
 * `tiphys sync` with limits in a database, through a server over HTTP, and a controller that reads the same database.
 */
import { assertEquals } from "@std/assert";
import { connect } from "../../cli/connect/connect.ts";
import { FakeWorld } from "../../cli/testing/fake_world.ts";
import type { ConnectTarget } from "../../cli/world.ts";
import { systemClock } from "@tiphys/base/clock";
import { WORKFLOWS } from "@tiphys/kube";
import { OpenLimits } from "@tiphys/storage/lock_database";
import { silentLog } from "@tiphys/base/log";
import { listen } from "../listen/listen.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";
import { LimitSource } from "./limit_source.ts";

/** A world whose cluster is the server of its flags. */
function worldOverServer(): FakeWorld {
  const world = new FakeWorld();
  return Object.assign(world, { connect: (where: ConnectTarget) => connect(where) });
}

Deno.test("tiphys sync: creates, shows, updates and deletes limits in the server's database, which controllers read", async () => {
  const folder = await Deno.makeTempDir({ prefix: "locks" });
  const secret = () => Promise.reject(new Error("a file needs no secret"));
  const settings = { sqlite: { file: `${folder}/locks.db` }, controllerName: "c", enableAPI: true };
  await using limits = await OpenLimits.open(settings, { clock: systemClock, log: silentLog, secret });
  await using databaseLimits = new LimitSource({ settings, log: silentLog, secret });
  await using bench = await serverBench(["client"], { databaseLimits });
  const listening = await listen({ hostname: "127.0.0.1", port: 0, handler: bench.handler });
  using world = worldOverServer();
  try {
    const { group, plural: resource } = WORKFLOWS;
    const { token } = await bench.account(
      ["create", "get", "update", "delete"].map((verb) => ({ verb, group, resource })),
    );
    const flags = [
      "-n",
      NAMESPACE,
      "-s",
      `127.0.0.1:${listening.port}`,
      "--secure=false",
      "--token",
      `Bearer ${token}`,
    ];
    const sync = async (...args: readonly string[]) => {
      const code = await world.run("sync", ...args, "--type", "Database", ...flags);
      return [code, world.output || world.errors.trimEnd()] as const;
    };
    const told = (limit: number) => `Key: builds\nType: database\nNamespace: ${NAMESPACE}\nLimit: ${limit}\n`;
    const read = () => limits.get({ type: "DATABASE", namespace: NAMESPACE, key: "builds" });
    assertEquals(await sync("create", "builds", "--limit", "3"), [0, `Sync limit created\n${told(3)}`]);
    assertEquals((await read()).limit, 3);
    assertEquals((await sync("create", "builds", "--limit", "4"))[0], 1);
    assertEquals(await sync("update", "builds", "--limit", "5"), [0, `Sync limit updated\n${told(5)}`]);
    assertEquals((await read()).limit, 5);
    assertEquals(await sync("get", "builds"), [0, told(5)]);
    assertEquals(await sync("delete", "builds"), [0, "Sync limit deleted\n"]);
    const [code, said] = await sync("get", "builds");
    assertEquals([code, said.includes(`Database sync limit not found in namespace "${NAMESPACE}"`)], [1, true], said);
    const { token: none } = await bench.account([]);
    const refused = await world.run(
      "sync",
      "get",
      "builds",
      "--type",
      "database",
      ...flags.slice(0, -1),
      `Bearer ${none}`,
    );
    assertEquals(refused, 1);
  } finally {
    await listening.close();
    await Deno.remove(folder, { recursive: true });
  }
});
