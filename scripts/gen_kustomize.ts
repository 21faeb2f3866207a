/**
 * The kustomize tree: a base for the whole cluster and one for a namespace, each with controller and server, and
 * components to add. Files for kustomize are named `Kustomization`, which `kubectl apply -f FOLDER` ignores.
 */
import { GROUP, KINDS } from "@tiphys/model/api";
import { controllerObjects } from "./gen_install.ts";
import { reportPolicy } from "./gen_report_policy.ts";
import { stringifyYaml } from "@tiphys/model/yaml";
import { networkPolicies, SERVER, serverComponents, serverObjects } from "./gen_server.ts";
import { inNamespace, manifest, NAMESPACE } from "./manifest_objects.ts";

/** The files of the tree by their names under `manifests/`. */
export function kustomizeFiles(): Map<string, string> {
  const [controller, server] = [controllerObjects(), serverObjects()];
  const components = serverComponents();
  const crds = Object.values(KINDS).map(({ plural }) => `${GROUP}_${plural}.yaml`);
  return new Map([
    ["crds/Kustomization", kustomization({ resources: crds })],
    [
      "kustomize/cluster/Kustomization",
      kustomization({ resources: ["../../crds", "namespace.yaml", "controller.yaml", "server.yaml"] }),
    ],
    [
      "kustomize/cluster/namespace.yaml",
      yamlText([{ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } }]),
    ],
    ["kustomize/cluster/controller.yaml", yamlText(controller.cluster)],
    ["kustomize/cluster/server.yaml", yamlText(server.cluster.map(inNamespace))],
    ["kustomize/namespace/Kustomization", kustomization({ resources: ["controller.yaml", "server.yaml"] })],
    ["kustomize/namespace/controller.yaml", yamlText(controller.namespaced)],
    ["kustomize/namespace/server.yaml", yamlText(server.namespaced)],
    ["kustomize/components/events/Kustomization", component(["events.yaml"])],
    ["kustomize/components/events/events.yaml", yamlText(components.events)],
    ["kustomize/components/sso/Kustomization", component(["sso.yaml"], [addAuthMode("sso")])],
    ["kustomize/components/sso/sso.yaml", yamlText(components.sso)],
    ["kustomize/components/network-policies/Kustomization", component(["network-policies.yaml"])],
    ["kustomize/components/network-policies/network-policies.yaml", yamlText(networkPolicies())],
    ["kustomize/components/report-policy/Kustomization", component(["report-policy.yaml"])],
    ["kustomize/components/report-policy/report-policy.yaml", yamlText(reportPolicy())],
  ]);
}

function yamlText(objects: readonly object[]): string {
  return manifest("Part of a kustomization: kubectl apply -k manifests/kustomize/cluster", objects);
}

function kustomization(fields: object): string {
  return manifest("", [{ apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", ...fields }]);
}

function component(resources: readonly string[], patches: readonly object[] = []): string {
  const kind = { apiVersion: "kustomize.config.k8s.io/v1alpha1", kind: "Component" };
  return manifest("", [{ ...kind, resources, ...(patches.length > 0 && { patches }) }]);
}

/** Enables an additional authentication mode of the server. */
function addAuthMode(mode: string): object {
  const path = "/spec/template/spec/containers/0/args/-";
  const patch = stringifyYaml([{ op: "add", path, value: `--auth-mode=${mode}` }]);
  return { target: { group: "apps", kind: "Deployment", name: SERVER }, patch };
}
