/**
 * The CRDs of an installed Argo: the real ones of `ARGO_HELM_CHART` or `ARGO_MANIFESTS`, otherwise our own reduced
 * ones.
 */
import { type KindName, KINDS } from "@tiphys/model/api";
import { classifyError, CUSTOM_RESOURCE_DEFINITIONS, type KubeClient, type KubeObject } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { type CrdSet, customResourceDefinition } from "../../scripts/gen_crd.ts";

/**
 * Reads the name of a set of CRDs.
 * @throws {Error} for another word than `minimal` or `full`.
 */
export function parseCrdSet(word: string): CrdSet {
  if (word === "minimal" || word === "full") return word;
  throw new Error(`Expected "minimal" or "full", got ${JSON.stringify(word)}`);
}

/**
 * Reads the flags `--profile foreign` and `--crds`: the set of Argo's CRDs, undefined without the profile.
 * @throws {Error} for another profile or set.
 */
export function parseProfile(
  { profile, crds }: { readonly profile?: string; readonly crds?: string },
): CrdSet | undefined {
  if (profile === undefined) return undefined;
  if (profile !== "foreign") throw new Error(`Expected --profile foreign, got ${JSON.stringify(profile)}`);
  return parseCrdSet(crds ?? "minimal");
}

/** The CRDs of a set. */
export async function foreignCrds(set: CrdSet): Promise<KubeObject[]> {
  const chart = Deno.env.get("ARGO_HELM_CHART");
  const manifests = Deno.env.get("ARGO_MANIFESTS");
  if (!chart && !manifests) {
    return (Object.keys(KINDS) as KindName[]).map((kind) =>
      customResourceDefinition(kind, { set, dialect: "argo" }) as unknown as KubeObject
    );
  }
  const folder = chart ? `${chart}/files/crds/${set}` : `${manifests}/base/crds/${set}`;
  const found: KubeObject[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".yaml") || name.startsWith("kustomization")) continue;
    for (const { value } of parseYaml(await Deno.readTextFile(`${folder}/${name}`))) found.push(value as KubeObject);
  }
  return found;
}

/** Creates CRDs; those that exist stay. */
export async function createCrds(client: KubeClient, crds: readonly KubeObject[]): Promise<void> {
  for (const crd of crds) {
    try {
      await client.create(CUSTOM_RESOURCE_DEFINITIONS, undefined, crd);
    } catch (error) {
      if (classifyError(error) !== "alreadyExists") throw error;
    }
  }
}
