import { GROUP, type KindName, KINDS, structureOf, VERSION } from "../lib/api/mod.ts";
import { OPEN_OBJECT, openAPI, type OpenAPISchema } from "./gen_open_api.ts";

/**
 * The CustomResourceDefinition of a kind. Status is open: only controllers write it, and a controller of another
 * version may know more fields.
 */
export function customResourceDefinition(kind: KindName): OpenAPISchema {
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
        schema: { openAPIV3Schema: rootSchema(kind) },
        ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns.map((column) => ({ ...column })) }),
        ...(statusSubresource ? { subresources: { status: {} } } : {}),
      }],
    },
  };
}

function rootSchema(kind: KindName): OpenAPISchema {
  const root = structureOf(KINDS[kind].schema);
  if (root.kind !== "object") throw new TypeError(`The schema of ${kind} is no object`);
  const { metadata: _, status, ...shape } = root.shape;
  const required = ["metadata", ...("spec" in shape ? ["spec"] : [])];
  const properties = Object.entries(shape).map(([name, field]) => [name, openAPI(field)]);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(properties),
      metadata: { type: "object" },
      ...(status === undefined ? {} : { status: OPEN_OBJECT }),
    },
    required,
  };
}
