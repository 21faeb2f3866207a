/**
 * The values of argo-helm's chart that ours does not support, each with the reason and the alternative. The chart
 * rejects them with these messages.
 */

const NAMESPACE = "objects are created in the namespace of the release: set it with helm's --namespace";
const API_VERSIONS = "API versions are detected from the cluster";
const METRICS =
  "metrics are served at the port and path of controller.metricsConfig; add another Service or ServiceMonitor to extraObjects";
const SERVICE =
  "the Service only supports type, port, name, labels and annotations; add another Service to extraObjects";
const INGRESS =
  "the chart does not expose the server; add an Ingress, or a route and policies of a Gateway, to extraObjects";
const CONTAINERS = "pods of the chart have one container; add your own Deployment to extraObjects";
const GLOG = "no library has a separate log; logging.level applies to all log lines";
const GROUPS = "workflows run as workflow.serviceAccount; add roles and bindings for other accounts to extraObjects";
const OWN = "the Deployment uses the default of the cluster; change it with a post-renderer of helm";

/** Reasons by the names of values. */
export const ARGO_HELM_VALUES_NOT_HERE: Readonly<Record<string, string>> = {
  "crds.full": "the CRDs always have full schemas",
  "crds.upgradeJob": "helm upgrade also upgrades the CRDs if crds.install is set",
  "namespaceOverride": NAMESPACE,
  "commonLabels": "objects have helm's labels; add others with podLabels and serviceLabels",
  "kubeVersionOverride": "the version is detected from the cluster; helm template accepts --kube-version",
  "apiVersionOverrides": API_VERSIONS,
  "workflow.namespace": NAMESPACE,
  "workflow.serviceAccount.createSecret":
    "the kubelet mounts a token of the account; add a Secret for it to extraObjects",
  "workflow.serviceAccount.pullSecrets": "images.pullSecrets apply to all pods of the chart",
  "workflow.rbac.agentPermissions": "workflow.rbac.create includes the permissions of the agent",
  "workflow.rbac.artifactGC": "workflow.rbac.create includes the permissions to delete artifacts",
  "workflow.rbac.serviceAccounts": GROUPS,
  "workflow.rbac.rules": GROUPS,
  "controller.configMap": "the ConfigMap is always created, named after the controller",
  "controller.metricsConfig.interval": METRICS,
  "controller.metricsConfig.portName": METRICS,
  "controller.metricsConfig.servicePort": METRICS,
  "controller.metricsConfig.servicePortName": METRICS,
  "controller.metricsConfig.scheme": "controller.metricsConfig.secure selects TLS",
  "controller.metricsConfig.headlessService": METRICS,
  "controller.metricsConfig.honorLabels": METRICS,
  "controller.metricsConfig.relabelings": METRICS,
  "controller.metricsConfig.metricRelabelings": METRICS,
  "controller.metricsConfig.targetLabels": METRICS,
  "controller.metricsConfig.modifiers": METRICS,
  "controller.workflowTTLWorkers": "the controller deletes expired workflows without separate workers",
  "controller.podCleanupWorkers": "set --pod-cleanup-workers in controller.extraArgs",
  "controller.telemetryConfig": "set controller.metricsConfig, which also applies to telemetry",
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
  "controller.kubeConfig": "the executor uses its own cluster, with the service account of its pod",
  "executor.args": "the controller sets the executor's command; set variables with executor.env",
  "server.serviceTargetPort": SERVICE,
  "server.serviceNodePort": SERVICE,
  "server.hostAliases": OWN,
  "server.loadBalancerClass": SERVICE,
  "server.loadBalancerIP": SERVICE,
  "server.loadBalancerSourceRanges": SERVICE,
  "server.revisionHistoryLimit": OWN,
  "server.autoscaling": "server.replicas is the number of servers; add a HorizontalPodAutoscaler to extraObjects",
  "server.pdb": "add a PodDisruptionBudget to extraObjects",
  "server.authMode": "set server.authModes, a list of modes",
  "server.logging.globallevel": GLOG,
  "server.ingress": INGRESS,
  "server.GKEbackendConfig": INGRESS,
  "server.GKEmanagedCertificate": INGRESS,
  "server.GKEfrontendConfig": INGRESS,
  "server.httproute": INGRESS,
  "server.backendTLSPolicy": INGRESS,
  "server.clusterWorkflowTemplates.enableEditing":
    "users edit with their own permissions; the server itself may only read",
  "server.extraContainers": CONTAINERS,
  "server.extraInitContainers": CONTAINERS,
  "server.lifecycle": OWN,
  "server.terminationGracePeriodSeconds":
    "the server stops within 10 seconds, less than the default grace period of 30 seconds",
  "server.livenessProbe": "the probes always use /healthz and /readyz",
  "useStaticCredentials": "set the credentials in artifactRepository; with useSDKCreds, it needs none",
  "artifactRepositoryRef": "add a ConfigMap artifact-repositories to extraObjects",
};
