/** The place of an artifact of a run at the server. */
import type { ArtifactPlace } from "../../api/source.ts";
import type { ArtifactChoice } from "../../model/artifacts/run_artifacts.ts";
import { isArchivedOnly } from "../../model/run/archived.ts";
import type { RunScene } from "./run_scene.ts";

/** Returns the place of an artifact, in the cluster or in the archive. */
export function artifactPlace({ namespace, name, run }: RunScene, choice: ArtifactChoice): ArtifactPlace {
  return {
    namespace,
    name,
    archivedUid: isArchivedOnly(run) ? run.metadata.uid : undefined,
    nodeId: choice.nodeId,
    side: choice.side,
    artifact: choice.name,
    path: choice.path,
  };
}
