/** Features of pods, the executor and artifacts. */
import { absent, better, different, type Features, same } from "./feature.ts";

/** Pods and the executor. */
export const POD_FEATURES: Features = {
  "Pod names, labels, annotations, environment": same("same names in both layouts", [
    "lib/engine/pod/build_test.ts",
    "builds a legacy pod with init, wait and main",
  ]),
  "Pods without init containers": better(
    "the default from Kubernetes 1.33 on; pods of one container with `singleContainer`",
    [
      "lib/engine/pod/layouts/choose_layout_test.ts",
      "chooseLayout()",
    ],
    ["tests/e2e/cases/single_container.ts", "single container: an account without permissions is enough"],
  ),
  "Results through WorkflowTaskResult": better("sealed with the pod's key: no other pod can forge them", [
    "tests/e2e/cases/report_policy.ts",
    "report policy: a pod can write only the report of its node, under its name and for its workflow",
  ]),
  "Exit codes of failed executors": different("64 to 67 name the stage that failed", [
    "executor/command/emissary_test.ts",
    "emissary: exits with 64 and an error if the command is not in PATH",
  ]),
  "Pods of Argo's executor": same("end under our controller as they would have", [
    "tests/controller/reports_test.ts",
    "report: an executor of the legacy layout without seals is believed when its pod has ended",
  ]),
  "Images without a C library": better("run; the executor brings its loader", [
    "tests/e2e/cases/images.ts",
    "image: one without any C library runs, and returns a script's result and a file",
  ]),
  "Signals, grace periods, `archiveLogs`": same("", [
    "tests/e2e/cases/endings.ts",
    "the signal that ends a pod reaches every process",
  ], "AR-106"),
  "Windows nodes": absent("the executor runs on Linux only"),
};

/** Artifacts. */
export const ARTIFACT_FEATURES: Features = {
  "S3 and compatible stores": same("keys, roles, web identities, encryption", "AR-38", "AR-72", "AR-73"),
  "Google Cloud Storage": same("", "AR-41"),
  "Azure Blob Storage": same("", "AR-40"),
  "Alibaba Cloud OSS": same("", "AR-135"),
  "HDFS": same("with Kerberos", "AR-134"),
  "Git": same("revisions, depth, submodules, ssh", "AR-120", "AR-123", "AR-124"),
  "HTTP and Artifactory": same("", "AR-128", "AR-129"),
  "Raw artifacts": same("", ["lib/stores/http/http_test.ts", "raw: an artifact is its text"]),
  "Artifact plugins": same("", "AR-131", "AR-132"),
  "Archive strategies: tar, zip, none": same("archives go both ways", "AR-80", "AR-94", "AR-95"),
  "Large files": better("streamed in constant memory; transfers resume", "AR-18", "AR-50"),
  "Hostile archives": better("bounded, and no link leaves the target", "AR-88", "AR-89", "AR-93"),
  "Digest, size and number of objects": better("in the status where the CRDs allow it", [
    "tests/foreign/crds_test.ts",
    "artifacts and logs arrive on Argo's",
  ]),
  "Artifact repositories and default keys": same("same order of resolution", "AR-103", "AR-104", "AR-105"),
  "Artifact garbage collection": same("all strategies", "AR-140"),
};
