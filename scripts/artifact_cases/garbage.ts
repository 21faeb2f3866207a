/** Cases of the deletion of artifacts. */
import type { ArtifactCase } from "./artifact_case.ts";
import { GARBAGE, S3 } from "./places.ts";

export const GARBAGE_CASES: Readonly<Record<string, ArtifactCase>> = {
  "AR-140": {
    behavior: "The three strategies of garbage collection, each when it is due.",
    tests: [[GARBAGE, "(AR-140)"]],
  },
  "AR-141": {
    behavior: "Folders and missing objects are deleted, without objects of similar prefixes.",
    contract: true,
    tests: [[S3, "(AR-141)"]],
  },
  "AR-142": { behavior: "Pod and task equal Argo's.", tests: [[GARBAGE, "(AR-142)"]] },
  "AR-143": { behavior: "A refused pod is requested again.", tests: [[GARBAGE, "(AR-143)"]] },
  "AR-144": {
    behavior: "A failed deletion is reported; force waits for all pods.",
    tests: [[GARBAGE, "(AR-144)"], ["executor/garbage/delete_artifacts_test.ts", "(AR-144)"]],
  },
  "AR-145": { behavior: "A lost pod is replaced.", tests: [[GARBAGE, "(AR-145)"]] },
  "AR-146": {
    behavior: "Many artifacts are distributed over several tasks.",
    tests: [["tests/scenarios/garbage_test.ts", "(AR-146)"]],
  },
  "AR-147": {
    behavior: "Artifacts that cannot be deleted do not keep their workflow.",
    tests: [[GARBAGE, "(AR-147)"]],
  },
  "AR-148": { behavior: "No finalizer blocks a deletion permanently.", tests: [[GARBAGE, "(AR-148)"]] },
  "AR-149": { behavior: "Restarts have no effect.", tests: [[GARBAGE, "(AR-149)"]] },
};
