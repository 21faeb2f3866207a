import { assertEquals, assertThrows } from "@std/assert";
import type { ArtifactLocation, Template, WorkflowSpec } from "@tiphys/model/api";
import { resolveArchiveLocation } from "./archive_location.ts";

const REPOSITORY = { s3: { endpoint: "e", bucket: "b", key: "wf/pod" } };
const OUTPUT: Template = { outputs: { artifacts: [{ name: "o", path: "/o" }] } };

function logsOf(
  template: boolean | undefined,
  workflow: boolean | undefined,
  repository: boolean | undefined,
): unknown {
  const location = resolveArchiveLocation(
    { ...OUTPUT, archiveLocation: { archiveLogs: template } },
    { archiveLogs: workflow } as WorkflowSpec,
    { ...REPOSITORY, archiveLogs: repository },
  );
  return location?.archiveLogs;
}

Deno.test("archivesLogs: true if the repository requires it, otherwise by template, workflow or default", () => {
  assertEquals(logsOf(false, false, true), true);
  assertEquals(logsOf(true, false, false), true);
  assertEquals(logsOf(false, true, false), false);
  assertEquals(logsOf(undefined, true, false), true);
  assertEquals(logsOf(undefined, undefined, false), false);
  assertEquals(logsOf(undefined, undefined, undefined), false);
});

function settled(template: Template, repository?: ArtifactLocation): ArtifactLocation | undefined {
  return resolveArchiveLocation(template, {}, repository);
}

Deno.test("archive location: undefined for a template that does not need one", () => {
  assertEquals(settled({ container: { image: "i" } }, REPOSITORY), undefined);
  assertEquals(
    settled({ inputs: { artifacts: [{ name: "a", gcs: { bucket: "b", key: "k" } }] } }, REPOSITORY),
    undefined,
  );
});

Deno.test("archive location: the repository's for an artifact with only a key, a data source and a manifest", () => {
  const templates: Template[] = [
    OUTPUT,
    { inputs: { artifacts: [{ name: "a", gcs: { key: "k" } }] } },
    { data: { source: { artifactPaths: { s3: { key: "k" } } }, transformation: [] } },
    { resource: { action: "create", manifestFrom: { artifact: { name: "a", s3: { key: "k" } } } } },
  ];
  for (const template of templates) assertEquals(settled(template, REPOSITORY), { ...REPOSITORY, archiveLogs: false });
});

Deno.test("archive location: a full location of the template takes precedence, with its own archiveLogs", () => {
  const own = { gcs: { bucket: "b", key: "k" } };
  assertEquals(settled({ ...OUTPUT, archiveLocation: own }, REPOSITORY), own);
  assertEquals(settled({ ...OUTPUT, archiveLocation: own }, { ...REPOSITORY, archiveLogs: true }), {
    ...own,
    archiveLogs: true,
  });
});

Deno.test("archive location: a key of the template is resolved in the repository", () => {
  assertEquals(settled({ ...OUTPUT, archiveLocation: { s3: { key: "mine" } } }, REPOSITORY), {
    s3: { endpoint: "e", bucket: "b", key: "mine" },
    archiveLogs: false,
  });
});

Deno.test("archive location: an artifact that the repository cannot store is rejected before the pod is built", () => {
  const inputs = { artifacts: [{ name: "a", azure: { endpoint: "", container: "c", blob: "k" } }] };
  assertThrows(() => settled({ inputs }, REPOSITORY), Error, "artifact a: the artifact has azure.container");
});
