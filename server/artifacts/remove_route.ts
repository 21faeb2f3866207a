/** The route that deletes an output artifact from its store. Argo's server does not have it. */
import { StoreError } from "@tiphys/model/artifact";
import { RetriesExhaustedError } from "@tiphys/artifacts/transfer/retry";
import { route } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { serviceOf } from "../workflows/change.ts";
import { isOfInstance } from "@tiphys/service/instance";
import { rightsOnOne } from "../workflows/one_workflow.ts";

/**
 * `DELETE /artifacts/…`, with the store credentials that the caller may read. Not available if workflows are
 * restricted, because locations in a workflow's status are not trusted then.
 */
export const removeRoute = route({
  id: "ArtifactService_RemoveOutputArtifact",
  method: "DELETE",
  path: "/artifacts/{namespace}/{name}/{nodeId}/{artifactName}",
  rights: rightsOnOne("get", "update"),
  async answer(call) {
    const { served, signal, params: { namespace = "", name = "", nodeId = "", artifactName = "" } } = call;
    if (served.restriction?.()) {
      throw new WireError(CODE.permissionDenied, "artifacts cannot be deleted when workflows are restricted");
    }
    const service = serviceOf(call);
    const workflow = await service.get(namespace, name);
    if (!isOfInstance(workflow, served.instanceId)) throw new WireError(CODE.notFound, "not found");
    try {
      return {
        json: {
          removed: await service.removeArtifact(workflow, { nodeId, artifactName }, {
            signal,
            reach: served.reach,
          }),
        },
      };
    } catch (error) {
      if (!(error instanceof StoreError || error instanceof RetriesExhaustedError)) throw error;
      served.log.warn("Failed to delete an artifact from its store", { error: error.message });
      throw new WireError(CODE.internal, "failed to delete the artifact from its store");
    }
  },
});
