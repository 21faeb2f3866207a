import { assertEquals } from "@std/assert";
import { parseWith, structureOf, WorkflowSpec } from "@tiphys/model/api";
import type { z } from "zod";
import { STORES, type StoreTable } from "@tiphys/model/artifact/stores";
import { OVERRIDES, type Rule } from "./overrides.ts";
import { IDENTITY_STORES, identityRefusals, permittedSpec, withoutBorrowedCredentials } from "./permitted_spec.ts";

/** Returns all differences between the table and the schema, by path. */
function undecidedFields(schema: z.core.$ZodType, rule: Rule | undefined, path: string): string[] {
  if (rule === undefined) return [`${path}: not decided`];
  if (rule === "refused") return [];
  const structure = structureOf(schema);
  switch (structure.kind) {
    case "list":
      return undecidedFields(structure.element, rule, path);
    case "map":
      return undecidedFields(structure.value, rule, path);
    case "object": {
      if (typeof rule === "string") return Object.keys(structure.shape).map((name) => `${path}.${name}: not decided`);
      const stray = Object.keys(rule).filter((name) => !Object.hasOwn(structure.shape, name));
      return [
        ...stray.map((name) => `${path}.${name}: no such field`),
        ...Object.entries(structure.shape).flatMap(([name, field]) =>
          undecidedFields(field, rule[name], `${path}.${name}`)
        ),
      ];
    }
    default:
      return typeof rule === "string" ? [] : [`${path}: has no fields to decide`];
  }
}

Deno.test("OVERRIDES: has a rule for each field of the schema at each depth", () => {
  assertEquals(undecidedFields(WorkflowSpec, OVERRIDES, "spec"), []);
});

Deno.test("permittedSpec: rejects a field without a rule", () => {
  const { spec, refused } = permittedSpec({ inventedLater: { a: 1 }, entrypoint: "x" } as never);
  assertEquals([spec, refused], [{ entrypoint: "x" }, ["InventedLater"]]);
  const nested = permittedSpec({ podGC: { strategy: "", inventedLater: 1 } } as never);
  assertEquals(nested.refused, ["PodGC.InventedLater"]);
});

Deno.test("permittedSpec: names fields as Argo's Go types do, sorted by bytes", () => {
  const { refused } = permittedSpec({
    dnsPolicy: "None",
    serviceAccountName: "x",
    podSpecPatch: "{}",
    artifactGC: { podSpecPatch: "{}", serviceAccountName: "x", podMetadata: {}, strategy: "Never" },
    arguments: { artifacts: [{ name: "a", s3: { key: "k", accessKeySecret: { name: "s", key: "k" } } }] },
  });
  assertEquals(refused, [
    "Arguments.Artifacts.S3.AccessKeySecret",
    "ArtifactGC.PodMetadata",
    "ArtifactGC.PodSpecPatch",
    "ArtifactGC.ServiceAccountName",
    "DNSPolicy",
    "PodSpecPatch",
    "ServiceAccountName",
  ]);
});

Deno.test("permittedSpec: an empty string counts as unset and does not override the template", () => {
  assertEquals(permittedSpec({ podSpecPatch: "", serviceAccountName: "", entrypoint: "" }), { spec: {}, refused: [] });
});

Deno.test("permittedSpec: `false` and empty values other than strings count as set", () => {
  const said = { hostNetwork: false, automountServiceAccountToken: false, templates: [], nodeSelector: {} };
  assertEquals(permittedSpec(said).refused, [
    "AutomountServiceAccountToken",
    "HostNetwork",
    "NodeSelector",
    "Templates",
  ]);
});

Deno.test("permittedSpec: preserves all fields that Argo allows", () => {
  const parsed = parseWith(WorkflowSpec, {
    workflowTemplateRef: { name: "t", clusterScope: true },
    entrypoint: "main",
    arguments: {
      parameters: [{ name: "p", value: "" }, { name: "q", valueFrom: { configMapKeyRef: { name: "c", key: "k" } } }],
      artifacts: [{ name: "a", raw: { data: "x" } }, { name: "b", http: { url: "https://x" } }],
    },
    shutdown: "Stop",
    suspend: true,
    activeDeadlineSeconds: 1,
    priority: 0,
    ttlStrategy: { secondsAfterCompletion: 1 },
    podGC: { strategy: "OnPodCompletion", labelSelector: { matchLabels: { a: "b" } } },
    volumeClaimGC: { strategy: "OnWorkflowCompletion" },
    archiveLogs: false,
    workflowMetadata: { labels: { a: "b" }, annotations: {}, labelsFrom: { c: { expression: "'d'" } } },
    metrics: { prometheus: [{ name: "m", help: "h", counter: { value: "1" } }] },
    artifactGC: { strategy: "OnWorkflowDeletion", forceFinalizerRemoval: true },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  assertEquals(permittedSpec(parsed.value), { spec: parsed.value, refused: [] });
});

Deno.test("permittedSpec: keeps fields that the administrator allows, except those of the pod that deletes artifacts", () => {
  const opened = new Set(["podSpecPatch", "artifactGC"]);
  const own = { podSpecPatch: "{}", volumes: [], artifactGC: { podSpecPatch: "{}" } };
  assertEquals(permittedSpec(own, opened), {
    spec: { podSpecPatch: "{}", artifactGC: {} },
    refused: ["ArtifactGC.PodSpecPatch", "Volumes"],
  });
});

Deno.test("withoutBorrowedCredentials: does not send a template's credentials to a location of the author's choice", () => {
  const auth = { basicAuth: { passwordSecret: { name: "s", key: "k" } } };
  const artifact = (http: object) => ({ arguments: { artifacts: [{ name: "a", http }] } }) as WorkflowSpec;
  const template = artifact({ url: "https://corp", auth });
  const merged = (own: WorkflowSpec) =>
    withoutBorrowedCredentials(artifact({ ...own.arguments?.artifacts?.[0]?.http, auth }), own, template);
  assertEquals(merged(artifact({ url: "https://evil" })), artifact({ url: "https://evil" }));
  assertEquals(merged(artifact({ url: "https://corp" })), artifact({ url: "https://corp", auth }));
});

for (
  const [rule, own, template, refused] of [
    ["a bucket of Google", { gcs: { bucket: "b", key: "k" } }, undefined, ["Arguments.Artifacts.GCS.Bucket"]],
    [
      "a bucket of S3",
      { s3: { endpoint: "e", bucket: "b", insecure: true, key: "k" } },
      undefined,
      ["Arguments.Artifacts.S3.Bucket", "Arguments.Artifacts.S3.Endpoint", "Arguments.Artifacts.S3.Insecure"],
    ],
    ["another bucket than the template's", { gcs: { bucket: "b", key: "k" } }, { gcs: { bucket: "a", key: "k" } }, [
      "Arguments.Artifacts.GCS.Bucket",
    ]],
    ["the template's bucket over plain HTTP", { s3: { insecure: true } }, { s3: { bucket: "a", insecure: false } }, [
      "Arguments.Artifacts.S3.Insecure",
    ]],
    [
      "another key in the template's bucket",
      { gcs: { bucket: "a", key: "l" } },
      { gcs: { bucket: "a", key: "k" } },
      [],
    ],
    ["a key of the repository", { s3: { key: "k" } }, undefined, []],
    ["an empty bucket", { gcs: { bucket: "", key: "k" } }, undefined, []],
    ["a URL", { http: { url: "https://example.com" } }, undefined, []],
  ] as const
) {
  Deno.test(`identityRefusals: ${rule} is ${refused.length ? "rejected" : "permitted"}`, () => {
    const spec = (artifact: object | undefined) =>
      (artifact ? { arguments: { artifacts: [{ name: "a", ...artifact }] } } : undefined) as WorkflowSpec | undefined;
    assertEquals(identityRefusals(spec(own)!, spec(template)), [...refused]);
    assertEquals(identityRefusals(spec(own)!, spec(template), new Set(["arguments"])), []);
  });
}

Deno.test("IDENTITY_STORES: are the stores whose rows have `usesIdentity`", () => {
  const names = Object.entries(STORES as StoreTable).filter(([, row]) => row.usesIdentity).map(([name]) => name);
  assertEquals<string[]>(names.toSorted(), [...IDENTITY_STORES]);
});
