/** The route by which an output artifact is deleted from its store; Argo's server has none. */
import { StoreError } from "../../lib/artifact/driver.ts";
import { GaveUpError } from "../../lib/artifact/transfer/retry.ts";
import { route } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { serviceOf } from "../workflows/change.ts";
import { isOfInstance } from "../../lib/workflow_service/instance.ts";
import { toOne } from "../workflows/one_workflow.ts";

/**
 * `DELETE /artifacts/…`, with the secrets of the store that the caller may read. Where workflows are restricted, what their
 * status says of places is believed of nobody, and so nothing is deleted by it.
 */
export const removeRoute = route({
  id: "ArtifactService_RemoveOutputArtifact",
  method: "DELETE",
  path: "/artifacts/{namespace}/{name}/{nodeId}/{artifactName}",
  rights: toOne("get", "update"),
  async answer(call) {
    const { served, signal, params: { namespace = "", name = "", nodeId = "", artifactName = "" } } = call;
    if (served.restriction?.()) {
      throw new WireError(CODE.permissionDenied, "artifacts are deleted by nobody where workflows are restricted");
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
      if (!(error instanceof StoreError || error instanceof GaveUpError)) throw error;
      served.log.warn("An artifact could not be deleted from its store", { error: error.message });
      throw new WireError(CODE.internal, "the store of the artifact does not delete it");
    }
  },
});
