import { assertEquals, assertStringIncludes } from "@std/assert";
import type { NodeStatus, Workflow } from "../../lib/api/mod.ts";
import { FINALIZER } from "../../lib/constants.ts";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { at, withArtifacts } from "../testing/artifact_world.ts";
import type { FakeWorld } from "../testing/fake_world.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

/** The lines of a table, with one space between its cells. */
function lines(text: string): string[] {
  return text.trimEnd().split("\n").map((line) => line.replaceAll(/ {2,}/g, " "));
}

/** Changes the workflow that is there. */
async function change(world: FakeWorld, act: (workflow: Workflow) => unknown): Promise<void> {
  const workflow = await world.client.get<Workflow>(WORKFLOWS, "default", "w");
  act(workflow);
  await world.client.replace(WORKFLOWS, "default", workflow);
}

Deno.test("artifact ls lists what the status says, without asking a store, and chooses by node, template and names with *", () =>
  withArtifacts(
    {},
    {
      n1: {
        report: { ...at("w/report.tgz"), size: 4200, digest: DIGEST },
        "report-old": { ...at("w/o"), deleted: true },
      },
      n2: { log: at("w/log") },
    },
    async ({ world }) => {
      assertEquals(await world.run("artifact", "ls", "w"), 0, world.errors);
      assertEquals(lines(world.output), [
        "NODE ARTIFACT SIZE DIGEST KEY",
        "n1 report 4.2 kB sha256:0123456789ab w/report.tgz",
        "n1 report-old deleted w/o",
        "n2 log w/log",
      ]);
      const names = async (...flags: string[]) => {
        assertEquals(await world.run("artifact", "ls", "w", "-o", "name", ...flags), 0, world.errors);
        return world.output;
      };
      assertEquals(await names("--artifact-name", "report*"), "n1/report\nn1/report-old\n");
      assertEquals(await names("--artifact-name", "*o*t*"), "n1/report\nn1/report-old\n");
      assertEquals(await names("--artifact-name", "rep*port"), "");
      assertEquals(await names("--template-name", "of-*2"), "n2/log\n");
      assertEquals(await names("--node-id", "n*"), "");
      assertEquals(await world.run("artifact", "ls", "w", "-o", "json", "--artifact-name", "report"), 0);
      assertEquals(JSON.parse(world.output), [{
        node: "n1",
        template: "of-n1",
        artifact: "report",
        store: "s3",
        key: "w/report.tgz",
        size: 4200,
        digest: DIGEST,
      }]);
      assertEquals(await world.run("artifact", "ls", "w", "-o", "wide", "--node-id", "n1"), 0);
      assertStringIncludes(world.output, DIGEST);
      assertStringIncludes(world.output, "of-n1");
      assertEquals(await world.run("artifact", "ls", "w", "--node-id", "n3"), 0);
      assertEquals(world.output, "No artifacts found\n");
    },
  ));

Deno.test("artifact du asks the stores: files, folders without their neighbours, each place once, and their sum", () =>
  withArtifacts(
    { "w/a": "12345", "w/dir/x": "123", "w/dir/sub/y": "4567", "w/dirt": "a neighbour" },
    { steps: { a: at("w/a") }, n1: { a: at("w/a"), old: { ...at("w/old"), deleted: true } }, n2: { d: at("w/dir") } },
    async ({ world }) => {
      await change(world, ({ status }) => Object.assign(status!.nodes!.steps!, { type: "Steps" }));
      assertEquals(await world.run("artifact", "du", "w"), 0, world.errors);
      assertEquals(lines(world.output), [
        "SIZE OBJECTS NODE ARTIFACT",
        "5 B 1 n1 a",
        "7 B 2 n2 d",
        "12 B 3 total",
      ]);
      assertEquals(await world.run("artifact", "du", "w", "-o", "yaml", "--artifact-name", "d"), 0);
      assertStringIncludes(world.output, "bytes: 7");
      assertStringIncludes(world.output, "key: w/dir");
    },
  ));

Deno.test("artifact du shows what it can, names what no store tells, and ends with 1", () =>
  withArtifacts(
    { "w/a": "12345" },
    { n1: { a: at("w/a"), gone: at("w/gone") }, n2: { code: { git: { repo: "https://git.example/x" } } } },
    async ({ world }) => {
      assertEquals(await world.run("artifact", "du", "w"), 1);
      assertStringIncludes(world.output, "5 B");
      assertStringIncludes(world.errors, "gone of n1: ");
      assertStringIncludes(world.errors, "code of n2: a store of kind git does not tell");
      assertStringIncludes(world.errors, "2 of 3 artifacts could not be asked for");
    },
  ));

/** What `artifact garbage` says of each artifact: when it is deleted, and why. */
async function garbage(world: FakeWorld): Promise<Record<string, string>> {
  assertEquals(await world.run("artifact", "garbage", "w", "-o", "json"), 0, world.errors);
  const rows: { artifact: string; deleted: string; why: string }[] = JSON.parse(world.output);
  return Object.fromEntries(rows.map(({ artifact, deleted, why }) => [artifact, `${deleted}: ${why}`]));
}

Deno.test("artifact garbage says of each artifact when it is deleted and why, or why it stays", () =>
  withArtifacts(
    {},
    {
      n1: {
        result: at("w/r"),
        scratch: { ...at("w/s"), artifactGC: { strategy: "OnWorkflowCompletion" } },
        kept: { ...at("w/k"), artifactGC: { strategy: "Never" } },
        code: { git: { repo: "https://git.example/x" } },
        gone: { ...at("w/g"), deleted: true },
      },
      n2: { cached: at("w/c") },
      n3: { outer: at("w/r") },
    },
    async ({ world }) => {
      await change(world, ({ metadata, spec, status }) => {
        Object.assign(metadata, { finalizers: [FINALIZER.artifactGc] });
        Object.assign(spec, { artifactGC: { strategy: "OnWorkflowDeletion" } });
        const nodes = status!.nodes as Record<string, NodeStatus>;
        Object.assign(nodes.n2!, { memoizationStatus: { hit: true, key: "k", cacheName: "c" } });
        Object.assign(nodes.n3!, { type: "Steps" });
      });
      assertEquals(await garbage(world), {
        result: "OnWorkflowDeletion: artifactGC of the workflow",
        scratch: "OnWorkflowCompletion: artifactGC of the artifact",
        kept: "Never: artifactGC of the artifact",
        code: "Never: a store of kind git deletes nothing",
        gone: "Never: it is deleted already",
        cached: "Never: it came out of a cache: it is another workflow's",
        outer: "Never: it is an artifact of a node within this one",
      });
      await change(world, ({ metadata }) => Object.assign(metadata, { finalizers: [] }));
      assertEquals((await garbage(world)).result, "Never: the workflow has no finalizer for it: nothing deletes it");
      await change(world, ({ spec }) => Object.assign(spec, { artifactGC: undefined }));
      assertEquals((await garbage(world)).result, "Never: nothing names another strategy");
    },
  ));

Deno.test("artifact garbage believes the spec that the workflow runs by, where its status stores one", () =>
  withArtifacts({}, { n1: { a: at("w/a") } }, async ({ world }) => {
    await change(world, ({ metadata, spec, status }) => {
      Object.assign(metadata, { finalizers: [FINALIZER.artifactGc] });
      Object.assign(status!, {
        storedWorkflowTemplateSpec: { ...spec, artifactGC: { strategy: "OnWorkflowCompletion" } },
      });
    });
    assertEquals((await garbage(world)).a, "OnWorkflowCompletion: artifactGC of the workflow");
  }));
