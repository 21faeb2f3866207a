/**
 * CustomResourceDefinitions generated from the schemas of `lib/model/api`: ours, and reduced ones that accept what
 * Argo's accept.
 */
import { GROUP, type KindName, KINDS, VERSION } from "@tiphys/model/api";
import { describedKind } from "../local/api/described/described_kind.ts";
import { type Dialect, kindOpenAPI, type OpenAPISchema } from "@tiphys/model/api/open_api";

/** The sets of Argo's CRDs: `minimal` does not describe the specification and status of the kinds that users write. */
export type CrdSet = "full" | "minimal";

/** The kinds whose CRD is open in the minimal set. */
const OPEN_IN_MINIMAL: readonly KindName[] = [
  "Workflow",
  "WorkflowTemplate",
  "ClusterWorkflowTemplate",
  "CronWorkflow",
];

/**
 * The CustomResourceDefinition of a kind. With the dialect `argo`, an API server keeps and accepts the same fields as
 * with Argo's.
 */
export function customResourceDefinition(
  kind: KindName,
  { set = "full", dialect = "own" }: { readonly set?: CrdSet; readonly dialect?: Dialect } = {},
): OpenAPISchema {
  const { plural, shortNames, namespaced, statusSubresource, columns } = KINDS[kind];
  const singular = kind.toLowerCase();
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [{
        name: VERSION,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schemaOf(kind, set, dialect) },
        ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns.map((column) => ({ ...column })) }),
        ...(statusSubresource ? { subresources: { status: {} } } : {}),
      }],
    },
  };
}

/** Ours describes its fields, for `kubectl explain`. */
function schemaOf(kind: KindName, set: CrdSet, dialect: Dialect): OpenAPISchema {
  if (set === "minimal") return openSchema(kind, dialect);
  const plain = kindOpenAPI(kind, dialect);
  if (dialect !== "own") return plain;
  // The descriptions are added to a schema of this type. The API server accepts none for the metadata of an object.
  const described = describedKind(kind) as OpenAPISchema;
  const metadata = (plain.properties as OpenAPISchema).metadata!;
  return { ...described, properties: { ...described.properties as OpenAPISchema, metadata } };
}

function openSchema(kind: KindName, dialect: Dialect): OpenAPISchema {
  const schema = kindOpenAPI(kind, dialect);
  if (!OPEN_IN_MINIMAL.includes(kind)) return schema;
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const properties = Object.entries(schema.properties as OpenAPISchema).map(([name, field]) =>
    [name, name === "spec" || name === "status" ? open : field] as const
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}
