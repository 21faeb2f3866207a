import { assertEquals, assertStringIncludes } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { FINALIZER } from "@tiphys/base/constants";
import { WORKFLOWS } from "@tiphys/kube";
import { at, withArtifacts } from "../testing/artifact_world.ts";
import type { FakeWorld } from "../testing/fake_world.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

/** Returns the lines of a table, with single spaces between cells. */
function lines(text: string): string[] {
  return text.trimEnd().split("\n").map((line) => line.replaceAll(/ {2,}/g, " "));
}

/** Changes the workflow `w`. */
async function change(world: FakeWorld, act: (workflow: Workflow) => unknown): Promise<void> {
  const workflow = await world.client.get<Workflow>(WORKFLOWS, "default", "w");
  act(workflow);
  await world.client.replace(WORKFLOWS, "default", workflow);
}

Deno.test("artifact ls: lists the artifacts of the status without requests to stores, and filters by node, template and name with *", () =>
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

Deno.test("artifact du: requests the size of each file and folder once, without objects of similar keys, and prints the sum", () =>
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

Deno.test("artifact du: exits with 1 and names each artifact that cannot be measured, after printing the others", () =>
  withArtifacts(
    { "w/a": "12345" },
    { n1: { a: at("w/a"), gone: at("w/gone") }, n2: { code: { git: { repo: "https://git.example/x" } } } },
    async ({ world }) => {
      assertEquals(await world.run("artifact", "du", "w"), 1);
      assertStringIncludes(world.output, "5 B");
      assertStringIncludes(world.errors, "gone of n1: ");
      assertStringIncludes(world.errors, "code of n2: a store of kind git cannot list its objects");
      assertStringIncludes(world.errors, "2 of 3 artifacts could not be measured");
    },
  ));

/** Returns when `artifact garbage` reports that each artifact is deleted, and why. */
async function garbage(world: FakeWorld): Promise<Record<string, string>> {
  assertEquals(await world.run("artifact", "garbage", "w", "-o", "json"), 0, world.errors);
  const rows: { artifact: string; deleted: string; why: string }[] = JSON.parse(world.output);
  return Object.fromEntries(rows.map(({ artifact, deleted, why }) => [artifact, `${deleted}: ${why}`]));
}

Deno.test("artifact garbage: prints when each artifact is deleted, and the reason", () =>
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
        code: "Never: stores of kind git do not support deletion",
        gone: "Never: already deleted",
        cached: "Never: from a memoization cache: it belongs to another workflow",
        outer: "Never: belongs to a node within this one",
      });
      await change(world, ({ metadata }) => Object.assign(metadata, { finalizers: [] }));
      assertEquals(
        (await garbage(world)).result,
        "Never: the workflow has no artifact finalizer, so nothing deletes it",
      );
      await change(world, ({ spec }) => Object.assign(spec, { artifactGC: undefined }));
      assertEquals((await garbage(world)).result, "Never: no artifactGC strategy is set");
    },
  ));

Deno.test("artifact garbage: uses the spec that is stored in the status, if there is one", () =>
  withArtifacts({}, { n1: { a: at("w/a") } }, async ({ world }) => {
    await change(world, ({ metadata, spec, status }) => {
      Object.assign(metadata, { finalizers: [FINALIZER.artifactGc] });
      Object.assign(status!, {
        storedWorkflowTemplateSpec: { ...spec, artifactGC: { strategy: "OnWorkflowCompletion" } },
      });
    });
    assertEquals((await garbage(world)).a, "OnWorkflowCompletion: artifactGC of the workflow");
  }));

/**
 * Objects of a workflow: a file, a folder, and objects with similar keys. The steps node has an output artifact of its
 * pod.
 */
const OBJECTS = { "w/a": "12345", "w/a2": "x", "w/dir/x": "123", "w/dir/y": "4", "w/dirt": "a neighbour", "w/c": "c" };
const NODES = {
  steps: { outer: at("w/a") },
  n1: { a: at("w/a"), dir: at("w/dir") },
  n2: { dirt: at("w/dirt"), a2: at("w/a2") },
  hit: { cached: at("w/c") },
};

function withRemovableArtifacts(
  use: (world: FakeWorld, left: () => Promise<string[]>) => Promise<void>,
): Promise<void> {
  return withArtifacts(OBJECTS, NODES, async ({ world, out }) => {
    await change(world, ({ status }) => {
      const nodes = status!.nodes as Record<string, NodeStatus>;
      Object.assign(nodes.steps!, { type: "Steps" });
      Object.assign(nodes.hit!, { memoizationStatus: { hit: true, key: "k", cacheName: "c" } });
    });
    await use(world, async () => {
      assertEquals(await world.run("artifact", "ls", "w", "-o", "json"), 0);
      const rows: { node: string; artifact: string; deleted?: boolean }[] = JSON.parse(world.output);
      const listed = rows.filter(({ deleted }) => !deleted).map(({ node, artifact }) => `${node}/${artifact}`);
      const copy = `${out}-${crypto.randomUUID()}`;
      await world.run("cp", "w", copy, "--path", "{nodeId}-{artifactName}");
      const there = [...world.errors.matchAll(/^Created ".*\/(\w+)-(\w+)\/\w+"$/gm)].map(([, node, name]) =>
        `${node}/${name}`
      );
      assertEquals(there.toSorted(), listed.toSorted(), "the status matches the store");
      return listed;
    });
  });
}

Deno.test("artifact rm: deletes the named artifacts but no objects of similar keys, and marks all artifacts of the same location", () =>
  withRemovableArtifacts(async (world, left) => {
    assertEquals(await world.run("artifact", "rm", "w", "n1/a", "dir"), 0, world.errors);
    assertStringIncludes(world.output, "Deleted n1/a (s3 ");
    assertStringIncludes(world.output, "w/a): 1 object; also the location of steps/outer\n");
    assertStringIncludes(world.output, "w/dir): 2 objects\n");
    assertEquals(await left(), ["n2/dirt", "n2/a2", "hit/cached"]);
    assertEquals(await world.run("artifact", "rm", "w", "n1/a"), 1);
    assertStringIncludes(world.errors, "was deleted");
  }));

Deno.test("artifact rm --dry-run: prints what would be deleted, and deletes nothing", () =>
  withRemovableArtifacts(async (world, left) => {
    const before = await left();
    assertEquals(await world.run("artifact", "rm", "w", "n1/dir", "--dry-run"), 0, world.errors);
    assertStringIncludes(world.output, "Would delete n1/dir (s3 ");
    assertStringIncludes(world.output, "w/dir): 2 objects, 4 B\n");
    assertEquals(await left(), before);
  }));

Deno.test("artifact rm: finds an artifact by the display name of its node", () =>
  withRemovableArtifacts(async (world) => {
    await change(world, ({ status }) => {
      for (const [id, node] of Object.entries(status!.nodes as Record<string, NodeStatus>)) {
        node.displayName = id === "n1" ? "build" : "other";
      }
    });
    assertEquals(await world.run("artifact", "rm", "w", "build/dir", "--dry-run"), 0, world.errors);
    assertStringIncludes(world.output, "Would delete n1/dir (s3 ");
  }));

Deno.test("artifact rm: deletes nothing if an artifact is unknown, ambiguous, of an unfinished workflow, or of another workflow", () =>
  withRemovableArtifacts(async (world, left) => {
    const before = await left();
    const refused = async (reason: string, ...names: string[]) => {
      for (const dry of [["--dry-run"], []]) {
        assertEquals(await world.run("artifact", "rm", "w", ...names, ...dry), 1);
        assertStringIncludes(world.errors, reason);
      }
    };
    await refused("no output artifact nothing", "n1/a", "nothing");
    await refused("no output artifact n1/a2", "n1/a2");
    await refused("it is from a cache", "hit/cached");
    await change(world, ({ status }) => {
      const { n2 } = status!.nodes as Record<string, NodeStatus>;
      Object.assign(n2!.outputs!, { artifacts: [{ name: "below", ...at("w/dir/y") }, { name: "a", ...at("w/a2") }] });
    });
    await refused("artifact below of n2 is below it: delete that one first", "n1/dir");
    await refused("2 nodes of workflow w have an artifact a; use one of these names: n1/a, n2/a", "a");
    await change(world, ({ status }) => {
      const { n2 } = status!.nodes as Record<string, NodeStatus>;
      const artifacts = [{ name: "dirt", ...at("w/dirt") }, { name: "a2", ...at("w/a2") }];
      Object.assign(n2!.outputs!, { artifacts });
      Object.assign(status!, { phase: "Running" });
    });
    await refused("workflow w has not finished", "n1/a");
    assertEquals(await left(), before);
  }));

Deno.test("artifact rm: recognizes the same location despite other secrets, regions and spellings of the endpoint", () =>
  withRemovableArtifacts(async (world) => {
    await change(world, ({ status }) => {
      const { s3 } = status!.artifactRepositoryRef!.artifactRepository as { s3: Record<string, unknown> };
      const secret = { name: "another", key: "key" };
      const other = { accessKeySecret: secret, secretKeySecret: secret, region: "elsewhere" };
      const endpoint = `${String(s3.endpoint).toUpperCase()}/`;
      const same = { s3: { ...s3, ...other, endpoint, key: "w/a" } };
      const apart = { s3: { ...s3, bucket: "another", key: "w/a" } };
      const { n2 } = status!.nodes as Record<string, NodeStatus>;
      Object.assign(n2!.outputs!, { artifacts: [{ name: "same", ...same }, { name: "apart", ...apart }] });
    });
    assertEquals(await world.run("artifact", "rm", "w", "n1/a"), 0, world.errors);
    assertStringIncludes(world.output, "w/a): 1 object; also the location of steps/outer, n2/same\n");
    assertEquals(await world.run("artifact", "ls", "w", "-o", "json", "--node-id", "n2"), 0);
    const rows: { artifact: string; deleted?: boolean }[] = JSON.parse(world.output);
    assertEquals(rows.map(({ artifact, deleted = false }) => [artifact, deleted]), [["same", true], ["apart", false]]);
  }));
