/** Cases of artifacts in pods: staging, links, locations, and outputs that are saved. */
import type { ArtifactCase } from "./artifact_case.ts";
import { LOCATION, POD, STAGE, SUPERVISOR } from "./places.ts";

export const POD_CASES: Readonly<Record<string, ArtifactCase>> = {
  "AR-97": {
    behavior: "Main reads staged inputs as any user.",
    tests: [[
      SUPERVISOR,
      "supervisor: stages raw artifacts before main starts, also in volumes, readable by every user (IL-28, IL-81)",
    ], [STAGE, "stageTemplate: artifacts of a plugin are usable for every user (IL-82)"]],
  },
  "AR-100": {
    behavior: "Links that main creates never lead the executor to its own files.",
    tests: [[POD, "auxiliary container: cannot be led to its own files by"], [POD, "leads outside of main's volumes"]],
  },
  "AR-101": {
    behavior: "Inputs at, below and above mounts do not affect the user's files.",
    tests: [[
      STAGE,
      "stageTemplate: fills a volume that is mounted at an artifact's path and replaces existing entries",
    ], [
      POD,
      "auxiliary container: does not stage an input through a link into a read-only volume, nor remove an output there",
    ]],
  },
  "AR-102": {
    behavior: "Only staged files are removed.",
    tests: [[
      POD,
      "auxiliary container: does not stage an input through a link into a read-only volume, nor remove an output there",
    ]],
  },
  "AR-103": {
    behavior: "A location with only a key is completed from the archive location.",
    tests: [[LOCATION, "relocate: completes a key from the archive's location, and keeps a full location"], [
      LOCATION,
      "relocate: rejects locations that would lose fields, and keys without an archive",
    ]],
  },
  "AR-104": {
    behavior: "Templates of keys are resolved.",
    tests: [["lib/engine/pod/parts/archive_location_test.ts", "the repository's for an artifact with only a key"]],
  },
  "AR-105": {
    behavior: "Repositories are resolved once, and stored.",
    tests: [[
      "tests/controller/artifact_repository_test.ts",
      "artifact repository: the default of the namespace and one that a workflow refers to are found in",
    ]],
  },
  "AR-106": {
    behavior: "Logs are archived according to repository, template and workflow.",
    tests: [["lib/engine/pod/parts/archive_location_test.ts", "archivesLogs: true if the repository requires it"], [
      SUPERVISOR,
      "left no log (IL-41)",
    ], [
      "tests/controller/reports_test.ts",
      "report: logs of the executor are added to the outputs of main, each under its own seal",
    ]],
  },
  "AR-107": { behavior: "subPath leads down from a key, never up.", tests: [[LOCATION, "withSubPath:"]] },
  "AR-108": {
    behavior: "Argo's artifact examples run on the embedded store.",
    lacks:
      "no unit test, as they take images of registries: `deno task suite examples` and `deno task suite conformance` run them",
  },
  "AR-109": {
    behavior: "Artifacts of a failed main are saved, unless the template disables it.",
    tests: [[SUPERVISOR, "(AR-109)"]],
  },
  "AR-110": {
    behavior: "A pod that is being terminated aborts uploads in time, and reports it.",
    tests: [[SUPERVISOR, "supervisor: on termination, cancels an upload in time and completes the report (IL-59)"]],
  },
  "AR-111": {
    behavior: "All artifacts that can be saved are saved, even if another one fails.",
    tests: [[
      "executor/after_main/save_artifacts_test.ts",
      "saveArtifacts: saves the existing artifacts and reports every missing one",
    ]],
  },
  "AR-112": {
    behavior: "Secrets with any name are mounted.",
    tests: [["lib/engine/pod/parts/volumes_test.ts", "a secret whose name is invalid for volumes"]],
  },
};
