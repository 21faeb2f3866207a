import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { artifactByUrn } from "./run_artifacts.ts";

Deno.test("artifactByUrn: prefers an artifact with the bucket, and falls back to one of the default repository", () => {
  const put = (id: string, bucket?: string) => ({
    id,
    name: id,
    type: "Pod",
    outputs: { artifacts: [{ name: "rows", s3: { key: "a/rows.csv", ...(bucket ? { bucket } : {}) } }] },
  });
  const nodes = { one: put("one", "first"), two: put("two", "second"), three: put("three") };
  const run = { metadata: { name: "etl" }, spec: {}, status: { nodes } } as unknown as Workflow;
  const nodeOf = (urn: string) => artifactByUrn(run, urn)?.nodeId;
  assertEquals(nodeOf("artifact:s3:minio:9000:second:a/rows.csv"), "two");
  assertEquals(nodeOf("artifact:s3:minio:9000:first:a/rows.csv"), "one");
  assertEquals(nodeOf("artifact:s3:minio:9000:artifacts:a/rows.csv"), "three");
  assertEquals(nodeOf("artifact:s3:minio:9000:artifacts:other.csv"), undefined);
});
