/**
 * The fields that our schemas add to Argo's, by kind. An API server with Argo's CRDs drops them, and so may older
 * clients and other controllers: nothing may depend on them.
 */
import { type KindName, KINDS } from "@tiphys/model/api";
import { missingFields } from "@tiphys/model/api/missing_fields";
import { kindOpenAPI } from "@tiphys/model/api/open_api";

/** The additions by kind, as paths such as `status.nodes.*.outputs.artifacts[].size`. */
export function additions(): Partial<Record<KindName, string[]>> {
  const found = (Object.keys(KINDS) as KindName[]).map((kind) => [kind, additionsOf(kind)] as const);
  return Object.fromEntries(found.filter(([, paths]) => paths.length > 0));
}

function additionsOf(kind: KindName): string[] {
  const missing = missingFields(kindOpenAPI(kind, "whole"), kindOpenAPI(kind, "argo"));
  return missing.filter((path) => !/\bmetadata\./.test(path));
}
