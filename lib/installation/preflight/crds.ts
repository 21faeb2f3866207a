/** The CRDs of a cluster: whether Argo's kinds are served, and which fields the API server drops. */
import * as z from "zod";
import { GROUP, type KindName, KINDS, VERSION } from "@tiphys/model/api";
import { missingFields } from "@tiphys/model/api/missing_fields";
import { kindOpenAPI } from "@tiphys/model/api/open_api";
import { listText } from "@tiphys/base/count_text";
import { classifyError, CUSTOM_RESOURCE_DEFINITIONS, type KubeClient } from "@tiphys/kube";
import { type Finding, notChecked, type Severity } from "./finding.ts";

const Definition = z.object({
  spec: z.object({
    versions: z.array(z.object({
      name: z.string(),
      served: z.boolean().optional(),
      schema: z.object({ openAPIV3Schema: z.unknown() }).optional(),
    })),
  }),
});

/** Findings about the CRD of each kind. A cluster without any of them is new, which is not a problem. */
export async function checkCrds(client: KubeClient): Promise<Finding[]> {
  const kinds = Object.keys(KINDS) as KindName[];
  const read = async (kind: KindName) => [kind, await readDefinition(client, nameOf(kind))] as const;
  let found: (readonly [KindName, unknown])[];
  try {
    found = await Promise.all(kinds.map(read));
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
    const group = "apiextensions.k8s.io";
    return [notChecked("crds", "CustomResourceDefinition", "get", group, "customresourcedefinitions")];
  }
  if (found.every(([, definition]) => definition === undefined)) {
    const message = "not installed: apply manifests/crds, or manifests/crds-minimal";
    return [{ check: "crds", severity: "ok", subject: "CustomResourceDefinition", message }];
  }
  const findings = found.flatMap(([kind, definition]) => findingsOf(kind, definition));
  const message = `all ${kinds.length} kinds are served with every field`;
  return findings.length > 0 ? findings : [{ check: "crds", severity: "ok", subject: GROUP, message }];
}

async function readDefinition(client: KubeClient, name: string): Promise<unknown> {
  try {
    return await client.get(CUSTOM_RESOURCE_DEFINITIONS, undefined, name);
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
    return undefined;
  }
}

function nameOf(kind: KindName): string {
  return `${KINDS[kind].plural}.${GROUP}`;
}

function findingsOf(kind: KindName, definition: unknown): Finding[] {
  const finding = (severity: Severity, message: string): Finding[] => [
    { check: "crds", severity, subject: `CustomResourceDefinition/${nameOf(kind)}`, message },
  ];
  if (definition === undefined) return finding("problem", `not installed, although others of ${GROUP} are: install it`);
  const read = Definition.safeParse(definition);
  const version = read.data?.spec.versions.find(({ name, served }) => name === VERSION && served !== false);
  if (version === undefined) return finding("problem", `does not serve ${GROUP}/${VERSION}`);
  const schema = version.schema?.openAPIV3Schema;
  const lost = missingFields(kindOpenAPI(kind, "argo"), schema).filter((path) => !/\bmetadata\./.test(path));
  const added = missingFields(kindOpenAPI(kind, "whole"), kindOpenAPI(kind, "argo"));
  const additions = missingFields(kindOpenAPI(kind, "whole"), schema).filter((path) => added.includes(path));
  const names = [...new Set(additions.map((path) => path.split(".").at(-1)!))].filter((name) => OF_ARTIFACTS.has(name));
  const older = "this CRD is older than the fields; install a newer one to use them";
  const harmless = "of artifacts, which Argo does not have: nothing depends on them";
  return [
    ...lost.length > 0 ? finding("warning", `the API server drops ${listText(lost)}: ${older}`) : [],
    ...names.length > 0 ? finding("ok", `the API server drops ${names.join(", ")} ${harmless}`) : [],
  ];
}

const OF_ARTIFACTS: ReadonlySet<string> = new Set(["digest", "size", "objects"]);
