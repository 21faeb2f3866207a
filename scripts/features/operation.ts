/** Features of the installation: controller, archive, server, clients, security. */
import { scenario } from "../engine_cases/places.ts";
import { absent, better, different, type Features, same } from "./feature.ts";

/** The controller and its operation. */
export const CONTROLLER_FEATURES: Features = {
  "Flags, environment and ConfigMap": same("same names; flags without effect are accepted and named in the log", [
    "scripts/engine_cases_test.ts",
    "each key of the ConfigMap",
  ]),
  "Invalid settings": different("reported as event and log line; the controller keeps running", [
    "controller/config/config_with_fallbacks_test.ts",
    "an invalid change of a key",
  ]),
  "Rights": different("Argo's roles suffice; a few features need more", [
    "tests/install/argo_roles_test.ts",
    "Argo's roles lack only rights that our controller does not require",
  ]),
  "Leader election, instance IDs, managed namespace": same("same Lease: only one of both controllers works", "LC-25", [
    "cli/connect/local_cluster_test.ts",
    "startLocalCluster: with an instance ID",
  ]),
  "Limits of running workflows, pod rate": same("", "LC-20", "LC-21"),
  "Large workflows: compressed and offloaded nodes": same("same forms, same tables", "LC-14", "LC-17"),
  "Archive in PostgreSQL and MySQL": same("same tables and rows", "DB-02", "DB-07"),
  "Archive in SQLite": better("on your machine only", "DB-19"),
  "Retention of finished workflows": same("", "LC-3"),
  "Metrics of Prometheus, OpenTelemetry": same("same names", "MT-1", "MT-30"),
  "Metrics of Go programs": absent("`go_*` series do not exist; those of any process do"),
  "Log lines": same("logfmt or JSON", "MT-31"),
  "Kubernetes events": same("", "MT-40", "MT-41"),
  "Fields of the status that newer releases of Argo add": same("kept", [
    "scripts/gen_test.ts",
    "CRDs: a workflow's status keeps unknown fields",
  ]),
  "Node IDs of newer releases of Argo": same(
    "read and kept",
    scenario("a_node_with_an_ID_of_another_engine_is_found_by_name"),
  ),
  "Manifests, quick-start manifests, kustomize, Helm values": same("same names", [
    "tests/e2e/cases/helm.ts",
    "Argo's chart: starts our controller and server instead of Argo's, under the chart's accounts",
  ], ["scripts/gen_kustomize_test.ts", "every file that a kustomization names"]),
  "Preflight, takeover, way back": better("does not exist in Argo", [
    "cli/commands/takeover_test.ts",
    "replaces the images and runs a canary",
  ]),
};

/** The server, its callers and clients. */
export const SERVER_FEATURES: Features = {
  "REST and gRPC API": same("Argo's paths and methods on one port", "SV-82", "SV-83"),
  "Modes `client`, `server`, `sso`, `hybrid`": same("", "AU-01", "AU-04"),
  "Anonymous callers of `server` and `hybrid`": different(
    "need `--allow-anonymous`, or a server that listens on this machine only",
    ["server/program_test.ts", "reports that anonymous callers are refused"],
  ),
  "Single sign-on": same("same settings; sessions are valid in both servers", "AU-10", "AU-11"),
  "Rights of callers": better("checked before anything is looked up", "AU-01"),
  "Lists": better(
    "live and archived workflows in one order",
    "SV-08",
    "SV-09",
  ),
  "Missing artifacts": different("404; Argo answers 500", "SV-60"),
  "Logs of deleted pods": same("read from the archived log", "SV-52"),
  "Events and webhooks": same("", "SV-64", "SV-70"),
  "Event sources and sensors (Argo Events)": same("404 where Argo Events is not installed", "SV-89"),
  "Uploads of artifacts": same("", "SV-63"),
  "Argo's command line": same("every command against our server and controller", "CL-01"),
  "Command line": same("same commands and flags, `tiphys` for `argo`", "CL-04", "CL-15", "CL-36"),
  "`run`, `local`, `why`": better("does not exist in Argo: runs workflows without a cluster", "CL-40"),
  "Hera": same("service calls and runs", "SV-93"),
  "Go client": absent("use Argo's: it works with our server"),
  "Java client": absent("use Argo's, or generate one from the OpenAPI description"),
  "OpenAPI and JSON schema": same("definitions have Argo's names", [
    "server/description/swagger_test.ts",
    "swagger: all references resolve, with the names of Argo's description",
  ]),
  "Web page": different("another page with its own addresses; links of the ConfigMap work", [
    "ui/model/links_test.ts",
    "runLinks: fills in",
  ]),
  "Badges and widgets": same("", ["server/page/page_test.ts", "page: the configured origins may frame widgets"]),
};

/** Security. */
export const SECURITY_FEATURES: Features = {
  "Pod Security Standard `restricted`": same("controller, server and executor", [
    "scripts/gen_install_test.ts",
    "install: controller and server satisfy the Pod Security Standard restricted, and write only the server's temporary files",
  ]),
  "Secrets of the controller": better("the role of our manifests reads none; you add those that your settings name", [
    "tests/e2e/cases/basics.ts",
    "the controller may not read secrets",
  ]),
  "Server-side requests to internal addresses": better("refused unless allowed", [
    "lib/base/net/reach_test.ts",
    "is rejected, as an address",
  ]),
  "Published advisories of Argo": better(
    "each is listed with the test that its attack fails, or with the reason why it does not apply",
    [
      "tests/advisories/advisories_test.ts",
      "the table has each published advisory",
    ],
  ),
};
