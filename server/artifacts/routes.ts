/** The routes of artifacts. Browsers use them too, so they are outside of `/api` and respond with the stored bytes. */
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { findArchived } from "../archive/find_archived.ts";
import { right } from "../gate/rights.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { getLiveOrArchived } from "../workflows/live_or_archived.ts";
import { removeRoute } from "./remove_route.ts";
import { serveArtifact } from "./serve_artifact.ts";
import { uploadRoute } from "./upload_route.ts";

/** The two sides of a node, by the segment of the path. */
const SIDES = { artifacts: "outputs", "input-artifacts": "inputs" } as const;
type Side = typeof SIDES[keyof typeof SIDES];

function rightsOnWorkflow({ params: { namespace, name } }: Pick<Call, "params">) {
  return [right("get", WORKFLOWS, namespace, name)];
}

function artifactRoute(word: keyof typeof SIDES): Route {
  return route({
    id: `ArtifactService_${word === "artifacts" ? "Output" : "Input"}Artifact`,
    method: "GET",
    path: `/${word}/{namespace}/{name}/{nodeId}/{artifactName}`,
    rights: rightsOnWorkflow,
    answer: async (call) => await serveAtOwnUrl(call, await getLiveOrArchived(call), SIDES[word]),
  });
}

function artifactByUidRoute(word: keyof typeof SIDES): Route {
  return route({
    id: `ArtifactService_${word === "artifacts" ? "Output" : "Input"}ArtifactByUID`,
    method: "GET",
    path: `/${word}-by-uid/{uid}/{nodeId}/{artifactName}`,
    // The namespace, and therefore the permissions, are known only after the lookup: see `findArchived`.
    rights: () => [],
    answer: async (call) =>
      await serveAtOwnUrl(call, await findArchived(call, { uid: call.params.uid ?? "" }, ["get"]), SIDES[word]),
  });
}

/** Serves an artifact at its own URL. A folder is redirected to the URL of its files. */
async function serveAtOwnUrl(call: Call, workflow: Workflow, side: Side) {
  const { nodeId = "", artifactName = "" } = call.params;
  const { namespace = "", name = "", uid = "" } = workflow.metadata;
  const isByUid = call.params.uid !== undefined;
  // The URL is relative because the server may be behind a proxy with a path prefix.
  const up = "../".repeat(isByUid ? 3 : 4);
  const where = isByUid ? ["archived-workflows", uid] : ["workflows", name];
  const parts = ["artifact-files", namespace, ...where, nodeId, side, artifactName].map(encodeURIComponent);
  const choice = { nodeId, artifactName, isInput: side === "inputs" };
  return { response: await serveArtifact(call, workflow, { choice, folderUrl: `${up}${parts.join("/")}/` }) };
}

function filesRoute(kind: "workflows" | "archived-workflows", side: Side, hasRest: boolean): Route {
  const isArchived = kind === "archived-workflows";
  return route({
    id: `ArtifactService_${isArchived ? "Archived" : ""}ArtifactFiles`,
    method: "GET",
    path: `/artifact-files/{namespace}/${kind}/{${isArchived ? "uid" : "name"}}/{nodeId}/${side}/{artifactName}` +
      (hasRest ? "/{rest...}" : ""),
    query: { scripts: "bool" },
    rights: (call) => isArchived ? [right("get", WORKFLOWS, call.params.namespace)] : rightsOnWorkflow(call),
    async answer(call) {
      const { namespace, uid = "", nodeId = "", artifactName = "", rest } = call.params;
      const workflow = isArchived
        ? await findArchived(call, { uid, namespace }, ["get"])
        : await getLiveOrArchived(call);
      if (!namespace) throw new WireError(CODE.notFound, "not found");
      const choice = { nodeId, artifactName, isInput: side === "inputs" };
      const folderUrl = `./${encodeURIComponent(artifactName)}/`;
      const asked = { choice, path: rest, folderUrl, mayRunScripts: call.query.scripts };
      return { response: await serveArtifact(call, workflow, asked) };
    },
  });
}

/** All routes of artifacts. */
export const ARTIFACT_ROUTES: readonly Route[] = [
  artifactRoute("artifacts"),
  artifactRoute("input-artifacts"),
  artifactByUidRoute("artifacts"),
  artifactByUidRoute("input-artifacts"),
  uploadRoute,
  removeRoute,
  ...(["workflows", "archived-workflows"] as const).flatMap((kind) =>
    (["outputs", "inputs"] as const).flatMap((side) => [filesRoute(kind, side, false), filesRoute(kind, side, true)])
  ),
];
