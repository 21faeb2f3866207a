/** `tiphys archive`, with the database of an embedded cluster and through a server. */
import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import type { ArchiveService } from "@tiphys/service";
import { ServerArchive } from "@tiphys/service/server";
import { StoredArchive } from "@tiphys/service/stored";
import { archiveBench, endedWorkflow } from "../../server/testing/archive_bench.ts";
import { FakeWorld } from "../testing/fake_world.ts";

const NOW = new Date("2026-11-02T00:00:00Z");

/** Returns a UID in the form that Kubernetes generates. */
const uid = (last: number) => `a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a${10 + last}`;

interface Bench extends AsyncDisposable {
  readonly world: FakeWorld;
  put(workflow: Workflow): Promise<void>;
}

/** The ways to access an archive. Commands behave the same with each. */
const WAYS: Readonly<Record<string, () => Promise<Bench>>> = {
  async "the database"() {
    const folder = await Deno.makeTempDir({ prefix: "archive-" });
    const world = new FakeWorld({ now: NOW });
    const secret = () => Promise.reject(new Error("a database file needs no secret"));
    const settings = { sqlite: { file: `${folder}/archive.db` } };
    const archive = await OpenArchive.open(settings, { clock: systemClock, log: silentLog, secret });
    world.archive = new StoredArchive({
      open: () => Promise.resolve(archive),
      client: world.client,
      now: () => world.now(),
    });
    return {
      world,
      put: (workflow) => archive.archive(workflow),
      async [Symbol.asyncDispose]() {
        world[Symbol.dispose]();
        await archive[Symbol.asyncDispose]();
        await Deno.remove(folder, { recursive: true });
      },
    };
  },

  async "a server"() {
    const bench = await archiveBench();
    const world = new FakeWorld({ now: NOW });
    const archive: ArchiveService = new ServerArchive(({ method, path, headers, body }) =>
      bench.server.ask(method, path, { headers, ...(body === undefined ? {} : { body }) })
    );
    world.archive = archive;
    return {
      world,
      put: (workflow) => bench.archive.archive(workflow),
      async [Symbol.asyncDispose]() {
        world[Symbol.dispose]();
        await bench[Symbol.asyncDispose]();
      },
    };
  },
};

const PROMISES: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  async "list: prints all workflows with their UIDs, with any --chunk-size"({ world, put }) {
    assertEquals(await archive(world, "list"), "No workflows found\n");
    await put(endedWorkflow("one", 1, { uid: uid(1), labels: { team: "red" } }));
    await put(endedWorkflow("two", 2, { uid: uid(2) }));
    for (const size of ["0", "1", "2"]) {
      const [titles, ...rows] = (await archive(world, "list", "--chunk-size", size)).trimEnd().split("\n");
      assert(titles?.endsWith("UID"), titles);
      assertEquals(rows.map((row) => row.split(/ +/).slice(0, 3).join(" ")), [
        "tenant two Failed",
        "tenant one Failed",
      ]);
      assert(rows[0]?.endsWith(uid(2)), rows[0]);
    }
    assertEquals(await archive(world, "list", "-o", "name", "-l", "team=red"), "one\n");
    assertEquals(await archive(world, "list", "-l", "team=blue"), "No workflows found\n");
  },

  async "get, delete: find a workflow by name or UID, never by a prefix of its name"({ world, put }) {
    await put(endedWorkflow("foobar", 1, { uid: uid(1) }));
    assert((await archive(world, "get", "foobar")).includes("exit code 1"));
    assert((await archive(world, "get", uid(1))).includes("foobar"));
    assertEquals(JSON.parse(await archive(world, "get", uid(1), "-o", "json")).metadata.uid, uid(1));
    assertEquals(await world.run("archive", "-n", "tenant", "get", "foo"), 1);
    assert(world.errors.includes("archived workflow 'foo' not found"), world.errors);
    assertEquals(await world.run("archive", "-n", "tenant", "delete", "foo"), 1);
    assertEquals(await world.run("archive", "-n", "tenant", "get", "--name", uid(1)), 1);
    assertEquals(await world.run("archive", "-n", "tenant", "get", "--name", "--uid", "x"), 2);
    assertEquals(await archive(world, "list", "-o", "name"), "foobar\n");
  },

  async "delete: a name of several workflows fails, and their UIDs are listed"({ world, put }) {
    for (const number of [1, 2]) await put(endedWorkflow("twice", number, { uid: uid(number) }));
    assertEquals(await world.run("archive", "-n", "tenant", "delete", "twice"), 1);
    const [first = "", second = "", third = "", last] = world.errors.trimEnd().split("\n");
    assert(first.endsWith("Multiple archived workflows found with name 'twice':"), first);
    assert(second.startsWith(`  ${uid(2)} (Created: Sun Nov 01 00:02:00 `), second);
    assert(third.startsWith(`  ${uid(1)} (`), third);
    assertEquals(last, "Please specify the UID.");
  },

  async "delete: deletes workflows by name and UID"({ world, put }) {
    await put(endedWorkflow("one", 1, { uid: uid(1) }));
    await put(endedWorkflow("two", 2, { uid: uid(2) }));
    const output = `Archived workflow 'one' deleted\nArchived workflow '${uid(2)}' deleted\n`;
    assertEquals(await archive(world, "delete", "one", uid(2)), output);
    assertEquals(await archive(world, "list"), "No workflows found\n");
    assertEquals(await world.run("archive", "-n", "tenant", "delete", uid(1)), 1);
  },

  async "resubmit: creates workflows with new names, by name or selector"({ world, put }) {
    await put(endedWorkflow("one", 1, { uid: uid(1), labels: { team: "red" } }));
    await put(endedWorkflow("two", 2, { uid: uid(2), labels: { team: "red" } }));
    assert(/^one-\w+$/.test((await archive(world, "resubmit", "one", "-o", "name")).trim()));
    const made = (await archive(world, "resubmit", "-l", "team=red", "-o", "name")).trim().split("\n");
    assertEquals(made.map((name) => name.slice(0, 4)).sort(), ["one-", "two-"]);
    assertEquals(await world.run("archive", "-n", "tenant", "resubmit"), 2);
  },

  async "retry: restores a failed workflow unless its name is in use"({ world, put }) {
    await put(endedWorkflow("one", 1, { uid: uid(1) }));
    assertEquals(await archive(world, "retry", "one", "-o", "name"), "one\n");
    assertEquals(await world.run("archive", "-n", "tenant", "retry", "one"), 1);
    assert(/already exists/.test(world.errors), world.errors);
  },

  async "retry: a selector only matches workflows of the namespace"({ world, put }) {
    await put(endedWorkflow("one", 1, { uid: uid(1), labels: { team: "red" } }));
    await put(endedWorkflow("two", 2, { uid: uid(2), labels: { team: "red" }, namespace: "elsewhere" }));
    assertEquals(await archive(world, "retry", "-l", "team=red", "-o", "name"), "one\n");
  },

  async "list-label-keys, list-label-values: list labels by key and value"({ world, put }) {
    await put(endedWorkflow("one", 1, { uid: uid(1), labels: { team: "red" } }));
    assertEquals(await archive(world, "list-label-keys"), "team\nworkflows.argoproj.io/workflow-archiving-status\n");
    assertEquals(await archive(world, "list-label-values", "-l", "team"), "red\n");
    assertEquals(await world.run("archive", "list-label-values"), 2);
  },
};

/** The output of a command that succeeds. */
async function archive(world: FakeWorld, ...args: readonly string[]): Promise<string> {
  const code = await world.run("archive", "-n", "tenant", ...args);
  assertEquals(code, 0, world.errors);
  return world.output;
}

for (const [way, start] of Object.entries(WAYS)) {
  for (const [title, keep] of Object.entries(PROMISES)) {
    Deno.test(`tiphys archive with ${way}: ${title}`, async () => {
      await using bench = await start();
      await keep(bench);
    });
  }
}

Deno.test("tiphys archive: a cluster without an archive fails with an error that names --argo-server", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("archive", "list"), 1);
  assert(world.errors.includes("--argo-server"), world.errors);
});
