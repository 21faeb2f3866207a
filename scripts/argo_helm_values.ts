/**
 * The values of argo-helm's chart that ours does not have: why each has no effect here, and what to use instead. The
 * chart refuses them with these messages.
 */

const NAMESPACE = "the chart installs into the namespace of the release: say --namespace to helm";
const API_VERSIONS = "the chart asks the cluster which versions it serves";
const METRICS =
  "metrics have the port and the path of controller.metricsConfig; put another Service or ServiceMonitor into extraObjects";
const SERVICE = "the Service has type, port, name, labels and annotations only; put another into extraObjects";
const INGRESS =
  "the chart brings no way in from outside; put an Ingress, a Gateway's route or its policies into extraObjects";
const CONTAINERS = "pods of the chart have one container; put a Deployment of your own into extraObjects";
const GLOG = "there is no library beneath that logs by itself; logging.level is the level of all";
const GROUPS =
  "workflows run as the account of workflow.serviceAccount; put roles and bindings of others into extraObjects";
const OWN = "the Deployment has the cluster's default; patch it with a post-renderer of helm";

/** Reasons by the names of values. */
export const ARGO_HELM_VALUES_NOT_HERE: Readonly<Record<string, string>> = {
  "crds.full": "there is one form of the definitions, the whole one",
  "crds.upgradeJob": "helm upgrade brings the definitions, as crds.install says",
  "namespaceOverride": NAMESPACE,
  "commonLabels": "objects have the labels of helm; podLabels and serviceLabels add to them",
  "kubeVersionOverride": "the chart asks the cluster for its version; helm template takes --kube-version",
  "apiVersionOverrides": API_VERSIONS,
  "workflow.namespace": NAMESPACE,
  "workflow.serviceAccount.createSecret":
    "the kubelet brings the token of the account; put a Secret of it into extraObjects",
  "workflow.serviceAccount.pullSecrets": "images.pullSecrets are those of all pods of the chart",
  "workflow.rbac.agentPermissions": "the rights of the agent are part of workflow.rbac.create",
  "workflow.rbac.artifactGC": "the rights to delete artifacts are part of workflow.rbac.create",
  "workflow.rbac.serviceAccounts": GROUPS,
  "workflow.rbac.rules": GROUPS,
  "controller.configMap": "the ConfigMap is always made, under the controller's name",
  "controller.metricsConfig.interval": METRICS,
  "controller.metricsConfig.portName": METRICS,
  "controller.metricsConfig.servicePort": METRICS,
  "controller.metricsConfig.servicePortName": METRICS,
  "controller.metricsConfig.scheme": "secure says whether metrics are served over TLS",
  "controller.metricsConfig.headlessService": METRICS,
  "controller.metricsConfig.honorLabels": METRICS,
  "controller.metricsConfig.relabelings": METRICS,
  "controller.metricsConfig.metricRelabelings": METRICS,
  "controller.metricsConfig.targetLabels": METRICS,
  "controller.metricsConfig.modifiers": METRICS,
  "controller.workflowTTLWorkers": "the engine deletes workflows that are over by itself, without workers",
  "controller.podCleanupWorkers": "the engine cleans pods up by itself; --pod-cleanup-workers in controller.extraArgs",
  "controller.telemetryConfig": "metrics and telemetry are one: controller.metricsConfig",
  "controller.logging.globallevel": GLOG,
  "controller.serviceType": METRICS,
  "controller.serviceAnnotations": METRICS,
  "controller.serviceLabels": METRICS,
  "controller.loadBalancerClass": METRICS,
  "controller.loadBalancerSourceRanges": METRICS,
  "controller.revisionHistoryLimit": OWN,
  "controller.clusterWorkflowTemplates.serviceAccounts": GROUPS,
  "controller.extraContainers": CONTAINERS,
  "controller.extraInitContainers": CONTAINERS,
  "controller.kubeConfig": "the executor asks its own cluster with the account of its pod",
  "executor.args": "the executor's command is the engine's; its variables are executor.env",
  "server.serviceTargetPort": SERVICE,
  "server.serviceNodePort": SERVICE,
  "server.hostAliases": OWN,
  "server.loadBalancerClass": SERVICE,
  "server.loadBalancerIP": SERVICE,
  "server.loadBalancerSourceRanges": SERVICE,
  "server.revisionHistoryLimit": OWN,
  "server.autoscaling": "server.replicas is the number of servers; put a HorizontalPodAutoscaler into extraObjects",
  "server.pdb": "put a PodDisruptionBudget into extraObjects",
  "server.authMode": "server.authModes is the list of modes",
  "server.logging.globallevel": GLOG,
  "server.ingress": INGRESS,
  "server.GKEbackendConfig": INGRESS,
  "server.GKEmanagedCertificate": INGRESS,
  "server.GKEfrontendConfig": INGRESS,
  "server.httproute": INGRESS,
  "server.backendTLSPolicy": INGRESS,
  "server.clusterWorkflowTemplates.enableEditing": "callers edit with their own rights; the server's own are to read",
  "server.extraContainers": CONTAINERS,
  "server.extraInitContainers": CONTAINERS,
  "server.lifecycle": OWN,
  "server.terminationGracePeriodSeconds":
    "the server ends its requests within ten seconds, less than the cluster's thirty",
  "server.livenessProbe": "the server is always asked at /healthz and /readyz",
  "useStaticCredentials": "the credentials of artifactRepository are those that it names; useSDKCreds names none",
  "artifactRepositoryRef": "put a ConfigMap artifact-repositories into extraObjects",
};
