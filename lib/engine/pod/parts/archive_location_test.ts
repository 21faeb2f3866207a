import { assertEquals, assertThrows } from "@std/assert";
import type { ArtifactLocation, Template, WorkflowSpec } from "@tiphys/model/api";
import { settleArchiveLocation } from "./archive_location.ts";

const REPOSITORY = { s3: { endpoint: "e", bucket: "b", key: "wf/pod" } };
const OUTPUT: Template = { outputs: { artifacts: [{ name: "o", path: "/o" }] } };

function logsOf(
  template: boolean | undefined,
  workflow: boolean | undefined,
  repository: boolean | undefined,
): unknown {
  const location = settleArchiveLocation(
    { ...OUTPUT, archiveLocation: { archiveLogs: template } },
    { archiveLogs: workflow } as WorkflowSpec,
    { ...REPOSITORY, archiveLogs: repository },
  );
  return location?.archiveLogs;
}

Deno.test("logs are kept when the repository says so, else as the template, the workflow, or nobody says", () => {
  assertEquals(logsOf(false, false, true), true);
  assertEquals(logsOf(true, false, false), true);
  assertEquals(logsOf(false, true, false), false);
  assertEquals(logsOf(undefined, true, false), true);
  assertEquals(logsOf(undefined, undefined, false), false);
  assertEquals(logsOf(undefined, undefined, undefined), false);
});

function settled(template: Template, repository?: ArtifactLocation): ArtifactLocation | undefined {
  return settleArchiveLocation(template, {}, repository);
}

Deno.test("a template that needs no place gets none", () => {
  assertEquals(settled({ container: { image: "i" } }, REPOSITORY), undefined);
  assertEquals(
    settled({ inputs: { artifacts: [{ name: "a", gcs: { bucket: "b", key: "k" } }] } }, REPOSITORY),
    undefined,
  );
});

Deno.test("an artifact that says a key only, a source of data and a manifest need the repository", () => {
  const templates: Template[] = [
    OUTPUT,
    { inputs: { artifacts: [{ name: "a", gcs: { key: "k" } }] } },
    { data: { source: { artifactPaths: { s3: { key: "k" } } }, transformation: [] } },
    { resource: { action: "create", manifestFrom: { artifact: { name: "a", s3: { key: "k" } } } } },
  ];
  for (const template of templates) assertEquals(settled(template, REPOSITORY), { ...REPOSITORY, archiveLogs: false });
});

Deno.test("a full place of the template comes before the repository, and its logs are kept as is said", () => {
  const own = { gcs: { bucket: "b", key: "k" } };
  assertEquals(settled({ ...OUTPUT, archiveLocation: own }, REPOSITORY), own);
  assertEquals(settled({ ...OUTPUT, archiveLocation: own }, { ...REPOSITORY, archiveLogs: true }), {
    ...own,
    archiveLogs: true,
  });
});

Deno.test("a place of the template that is a key only lies in the repository", () => {
  assertEquals(settled({ ...OUTPUT, archiveLocation: { s3: { key: "mine" } } }, REPOSITORY), {
    s3: { endpoint: "e", bucket: "b", key: "mine" },
    archiveLogs: false,
  });
});

Deno.test("an artifact that the repository would lose is refused before there is a pod", () => {
  const inputs = { artifacts: [{ name: "a", azure: { endpoint: "", container: "c", blob: "k" } }] };
  assertThrows(() => settled({ inputs }, REPOSITORY), Error, "artifact a: the artifact has azure.container");
});
