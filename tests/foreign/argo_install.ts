/**
 * An installation in the shape of Argo's own manifests, with our images: its accounts, the rules of its roles, an empty
 * ConfigMap and its Deployment of the controller. `ARGO_MANIFESTS` names a folder with the real manifests instead.
 */
import { ELECTION_RULES, rule } from "../../lib/preflight/mod.ts";
import type { KubeObject } from "../../lib/kube/mod.ts";
import { ARGO_CONTROLLER_RULES } from "../../scripts/argo_roles.ts";
import { binding, inNamespace, role, serviceAccount } from "../../scripts/manifest_objects.ts";
import { AGENT_RULES, COLLECTOR_RULES, EXECUTOR_RULES } from "../../scripts/gen_install.ts";

/** The account of the controller in Argo's manifests. */
export const ACCOUNT = "argo";

/** The images that the Deployment names. */
export interface ForeignImages {
  readonly controller: string;
  readonly executor: string;
}

/** The objects of an installation without its CRDs, in the namespace `argo`. */
export function argoInstall(images: ForeignImages): KubeObject[] {
  const objects = [
    serviceAccount(ACCOUNT),
    role("ClusterRole", "argo-cluster-role", ARGO_CONTROLLER_RULES),
    binding("ClusterRoleBinding", "ClusterRole", "argo-cluster-role", ACCOUNT),
    role("Role", "argo-role", [...ELECTION_RULES, rule("", ["secrets"], ["get"])]),
    binding("RoleBinding", "Role", "argo-role", ACCOUNT),
    role("ClusterRole", "workflow-executor", EXECUTOR_RULES),
    binding("RoleBinding", "ClusterRole", "workflow-executor", "default"),
    role("ClusterRole", "workflow-artifact-gc", COLLECTOR_RULES),
    binding("RoleBinding", "ClusterRole", "workflow-artifact-gc", "default"),
    role("ClusterRole", "workflow-agent", AGENT_RULES),
    binding("RoleBinding", "ClusterRole", "workflow-agent", "default"),
  ].map(inNamespace) as unknown as KubeObject[];
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: named("workflow-controller-configmap") };
  return [...objects, configMap, deployment(images)];
}

function named(name: string) {
  return { name, namespace: "argo" };
}

function deployment({ controller, executor }: ForeignImages): KubeObject {
  const name = "workflow-controller";
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: named(name),
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: ACCOUNT,
          nodeSelector: { "kubernetes.io/os": "linux" },
          securityContext: { runAsNonRoot: true },
          containers: [{
            name,
            image: controller,
            command: [name],
            args: ["--executor-image", executor],
            securityContext: {
              readOnlyRootFilesystem: true,
              runAsNonRoot: true,
              allowPrivilegeEscalation: false,
              capabilities: { drop: ["ALL"] },
            },
            env: [{ name: "LEADER_ELECTION_IDENTITY", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
            ports: [{ name: "metrics", containerPort: 9090 }, { containerPort: 6060 }],
            livenessProbe: {
              httpGet: { port: 6060, path: "/healthz" },
              failureThreshold: 3,
              initialDelaySeconds: 90,
              periodSeconds: 60,
              timeoutSeconds: 30,
            },
          }],
        },
      },
    },
  } as KubeObject;
}
