import { GROUP, type KindName, KINDS, VERSION } from "../lib/api/mod.ts";
import { kindOpenAPI, type OpenAPISchema } from "../lib/api/open_api.ts";

/** The CustomResourceDefinition of a kind. */
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
        schema: { openAPIV3Schema: kindOpenAPI(kind) },
        ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns.map((column) => ({ ...column })) }),
        ...(statusSubresource ? { subresources: { status: {} } } : {}),
      }],
    },
  };
}
