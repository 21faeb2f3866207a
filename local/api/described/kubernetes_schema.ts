/**
 * The protobuf messages of the built-in kinds and their fields that are not in `lib/proto`: names, numbers and types of fields, in
 * the format of `lib/proto/read_schema.ts`. They are facts that all clients share.
 */
export const KUBERNETES = `
package core
TypeMeta
  1 apiVersion string; 2 kind string
Unknown
  1 typeMeta TypeMeta; 2 raw bytes
AttachedVolume
  1 name string; 2 devicePath string
AzureFilePersistentVolumeSource
  1 secretName string; 2 shareName string; 3 readOnly bool; 4 secretNamespace string?
Binding
  1 metadata meta.ObjectMeta; 2 target ObjectReference
CSIPersistentVolumeSource
  1 driver string; 2 volumeHandle string; 3 readOnly bool; 4 fsType string; 5 volumeAttributes {}string
  6 controllerPublishSecretRef SecretReference?; 7 nodeStageSecretRef SecretReference?
  8 nodePublishSecretRef SecretReference?; 9 controllerExpandSecretRef SecretReference?
  10 nodeExpandSecretRef SecretReference?
CephFSPersistentVolumeSource
  1 monitors []string; 2 path string; 3 user string; 4 secretFile string; 5 secretRef SecretReference?
  6 readOnly bool
CinderPersistentVolumeSource
  1 volumeID string; 2 fsType string; 3 readOnly bool; 4 secretRef SecretReference?
ClientIPConfig
  1 timeoutSeconds int32?
ConfigMap
  1 metadata meta.ObjectMeta; 4 immutable bool?; 2 data {}string; 3 binaryData {}bytes
ConfigMapNodeConfigSource
  1 namespace string; 2 name string; 3 uid string; 4 resourceVersion string; 5 kubeletConfigKey string
ContainerExtendedResourceRequest
  1 containerName string; 2 resourceName string; 3 requestName string
ContainerImage
  1 names []string; 2 sizeBytes int64
ContainerState
  1 waiting ContainerStateWaiting?; 2 running ContainerStateRunning?; 3 terminated ContainerStateTerminated?
ContainerStateRunning
  1 startedAt meta.Time
ContainerStateTerminated
  1 exitCode int32; 2 signal int32; 3 reason string; 4 message string; 5 startedAt meta.Time; 6 finishedAt meta.Time
  7 containerID string
ContainerStateWaiting
  1 reason string; 2 message string
ContainerStatus
  1 name string; 2 state ContainerState; 3 lastState ContainerState; 4 ready bool; 5 restartCount int32
  6 image string; 7 imageID string; 8 containerID string; 9 started bool?; 10 allocatedResources {}resource.Quantity
  11 resources ResourceRequirements?; 12 volumeMounts []VolumeMountStatus; 13 user ContainerUser?
  14 allocatedResourcesStatus []ResourceStatus; 15 stopSignal string?
ContainerUser
  1 linux LinuxContainerUser?
DaemonEndpoint
  1 Port int32
EphemeralContainer
  1 ephemeralContainerCommon EphemeralContainerCommon inline; 2 targetContainerName string
EphemeralContainerCommon
  1 name string; 2 image string; 3 command []string; 4 args []string; 5 workingDir string; 6 ports []ContainerPort
  19 envFrom []EnvFromSource; 7 env []EnvVar; 8 resources ResourceRequirements
  23 resizePolicy []ContainerResizePolicy; 24 restartPolicy string?; 25 restartPolicyRules []ContainerRestartRule
  9 volumeMounts []VolumeMount; 21 volumeDevices []VolumeDevice; 10 livenessProbe Probe?; 11 readinessProbe Probe?
  22 startupProbe Probe?; 12 lifecycle Lifecycle?; 13 terminationMessagePath string
  20 terminationMessagePolicy string; 14 imagePullPolicy string; 15 securityContext SecurityContext?; 16 stdin bool
  17 stdinOnce bool; 18 tty bool
FlexPersistentVolumeSource
  1 driver string; 2 fsType string; 3 secretRef SecretReference?; 4 readOnly bool; 5 options {}string
GlusterfsPersistentVolumeSource
  1 endpoints string; 2 path string; 3 readOnly bool; 4 endpointsNamespace string?
HostIP
  1 ip string
ISCSIPersistentVolumeSource
  1 targetPortal string; 2 iqn string; 3 lun int32; 4 iscsiInterface string; 5 fsType string; 6 readOnly bool
  7 portals []string; 8 chapAuthDiscovery bool; 11 chapAuthSession bool; 10 secretRef SecretReference?
  12 initiatorName string?
ImageVolumeStatus
  1 imageRef string
LimitRange
  1 metadata meta.ObjectMeta; 2 spec LimitRangeSpec
LimitRangeItem
  1 type string; 2 max {}resource.Quantity; 3 min {}resource.Quantity; 4 default {}resource.Quantity
  5 defaultRequest {}resource.Quantity; 6 maxLimitRequestRatio {}resource.Quantity
LimitRangeSpec
  1 limits []LimitRangeItem
LinuxContainerUser
  1 uid int64; 2 gid int64; 3 supplementalGroups []int64
LoadBalancerIngress
  1 ip string; 2 hostname string; 3 ipMode string?; 4 ports []PortStatus
LoadBalancerStatus
  1 ingress []LoadBalancerIngress
LocalVolumeSource
  1 path string; 2 fsType string?
Namespace
  1 metadata meta.ObjectMeta; 2 spec NamespaceSpec; 3 status NamespaceStatus
NamespaceCondition
  1 type string; 2 status string; 4 lastTransitionTime meta.Time; 5 reason string; 6 message string
NamespaceSpec
  1 finalizers []string
NamespaceStatus
  1 phase string; 2 conditions []NamespaceCondition
Node
  1 metadata meta.ObjectMeta; 2 spec NodeSpec; 3 status NodeStatus
NodeAddress
  1 type string; 2 address string
NodeAllocatableResourceClaimStatus
  1 resourceClaimName string; 2 containers []string; 3 resources {}resource.Quantity
NodeCondition
  1 type string; 2 status string; 3 lastHeartbeatTime meta.Time; 4 lastTransitionTime meta.Time; 5 reason string
  6 message string
NodeConfigSource
  2 configMap ConfigMapNodeConfigSource?
NodeConfigStatus
  1 assigned NodeConfigSource?; 2 active NodeConfigSource?; 3 lastKnownGood NodeConfigSource?; 4 error string
NodeDaemonEndpoints
  1 kubeletEndpoint DaemonEndpoint
NodeFeatures
  1 supplementalGroupsPolicy bool?
NodeRuntimeHandler
  1 name string; 2 features NodeRuntimeHandlerFeatures?
NodeRuntimeHandlerFeatures
  1 recursiveReadOnlyMounts bool?; 2 userNamespaces bool?
NodeSpec
  1 podCIDR string; 7 podCIDRs []string; 3 providerID string; 4 unschedulable bool; 5 taints []Taint
  6 configSource NodeConfigSource?; 2 externalID string
NodeStatus
  1 capacity {}resource.Quantity; 2 allocatable {}resource.Quantity; 3 phase string; 4 conditions []NodeCondition
  5 addresses []NodeAddress; 6 daemonEndpoints NodeDaemonEndpoints; 7 nodeInfo NodeSystemInfo
  8 images []ContainerImage; 9 volumesInUse []string; 10 volumesAttached []AttachedVolume; 11 config NodeConfigStatus?
  12 runtimeHandlers []NodeRuntimeHandler; 13 features NodeFeatures?; 14 declaredFeatures []string
NodeSwapStatus
  1 capacity int64?
NodeSystemInfo
  1 machineID string; 2 systemUUID string; 3 bootID string; 4 kernelVersion string; 5 osImage string
  6 containerRuntimeVersion string; 7 kubeletVersion string; 8 kubeProxyVersion string; 9 operatingSystem string
  10 architecture string; 11 swap NodeSwapStatus?
PersistentVolume
  1 metadata meta.ObjectMeta; 2 spec PersistentVolumeSpec; 3 status PersistentVolumeStatus
PersistentVolumeSource
  1 gcePersistentDisk GCEPersistentDiskVolumeSource?; 2 awsElasticBlockStore AWSElasticBlockStoreVolumeSource?
  3 hostPath HostPathVolumeSource?; 4 glusterfs GlusterfsPersistentVolumeSource?; 5 nfs NFSVolumeSource?
  6 rbd RBDPersistentVolumeSource?; 7 iscsi ISCSIPersistentVolumeSource?; 8 cinder CinderPersistentVolumeSource?
  9 cephfs CephFSPersistentVolumeSource?; 10 fc FCVolumeSource?; 11 flocker FlockerVolumeSource?
  12 flexVolume FlexPersistentVolumeSource?; 13 azureFile AzureFilePersistentVolumeSource?
  14 vsphereVolume VsphereVirtualDiskVolumeSource?; 15 quobyte QuobyteVolumeSource?
  16 azureDisk AzureDiskVolumeSource?; 17 photonPersistentDisk PhotonPersistentDiskVolumeSource?
  18 portworxVolume PortworxVolumeSource?; 19 scaleIO ScaleIOPersistentVolumeSource?; 20 local LocalVolumeSource?
  21 storageos StorageOSPersistentVolumeSource?; 22 csi CSIPersistentVolumeSource?
PersistentVolumeSpec
  1 capacity {}resource.Quantity; 2 persistentVolumeSource PersistentVolumeSource inline; 3 accessModes []string
  4 claimRef ObjectReference?; 5 persistentVolumeReclaimPolicy string; 6 storageClassName string
  7 mountOptions []string; 8 volumeMode string?; 9 nodeAffinity VolumeNodeAffinity?
  10 volumeAttributesClassName string?
PersistentVolumeStatus
  1 phase string; 2 message string; 3 reason string; 4 lastPhaseTransitionTime meta.Time?
Pod
  1 metadata meta.ObjectMeta; 2 spec PodSpec; 3 status PodStatus
PodCondition
  1 type string; 7 observedGeneration int64; 2 status string; 3 lastProbeTime meta.Time
  4 lastTransitionTime meta.Time; 5 reason string; 6 message string
PodExtendedResourceClaimStatus
  1 requestMappings []ContainerExtendedResourceRequest; 2 resourceClaimName string
PodIP
  1 ip string
PodOS
  1 name string
PodReadinessGate
  1 conditionType string
PodResourceClaimStatus
  1 name string; 2 resourceClaimName string?
PodSchedulingGate
  1 name string
PodSchedulingGroup
  1 podGroupName string?
PodSpec
  1 volumes []Volume; 20 initContainers []Container; 2 containers []Container
  34 ephemeralContainers []EphemeralContainer; 3 restartPolicy string; 4 terminationGracePeriodSeconds int64?
  5 activeDeadlineSeconds int64?; 6 dnsPolicy string; 7 nodeSelector {}string; 8 serviceAccountName string
  9 serviceAccount string; 21 automountServiceAccountToken bool?; 10 nodeName string; 11 hostNetwork bool
  12 hostPID bool; 13 hostIPC bool; 27 shareProcessNamespace bool?; 14 securityContext PodSecurityContext?
  15 imagePullSecrets []LocalObjectReference; 16 hostname string; 17 subdomain string; 18 affinity Affinity?
  19 schedulerName string; 22 tolerations []Toleration; 23 hostAliases []HostAlias; 24 priorityClassName string
  25 priority int32?; 26 dnsConfig PodDNSConfig?; 28 readinessGates []PodReadinessGate; 29 runtimeClassName string?
  30 enableServiceLinks bool?; 31 preemptionPolicy string?; 32 overhead {}resource.Quantity
  33 topologySpreadConstraints []TopologySpreadConstraint; 35 setHostnameAsFQDN bool?; 36 os PodOS?
  37 hostUsers bool?; 38 schedulingGates []PodSchedulingGate; 39 resourceClaims []PodResourceClaim
  40 resources ResourceRequirements?; 41 hostnameOverride string?; 43 schedulingGroup PodSchedulingGroup?
PodStatus
  17 observedGeneration int64; 1 phase string; 2 conditions []PodCondition; 3 message string; 4 reason string
  11 nominatedNodeName string; 5 hostIP string; 16 hostIPs []HostIP; 6 podIP string; 12 podIPs []PodIP
  7 startTime meta.Time?; 10 initContainerStatuses []ContainerStatus; 8 containerStatuses []ContainerStatus
  9 qosClass string; 13 ephemeralContainerStatuses []ContainerStatus; 14 resize string
  15 resourceClaimStatuses []PodResourceClaimStatus; 18 extendedResourceClaimStatus PodExtendedResourceClaimStatus?
  19 allocatedResources {}resource.Quantity; 20 resources ResourceRequirements?
  21 nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus
PodTemplateSpec
  1 metadata meta.ObjectMeta; 2 spec PodSpec
PortStatus
  1 port int32; 2 protocol string; 3 error string?
RBDPersistentVolumeSource
  1 monitors []string; 2 image string; 3 fsType string; 4 pool string; 5 user string; 6 keyring string
  7 secretRef SecretReference?; 8 readOnly bool
ResourceHealth
  1 resourceID string; 2 health string; 6 message string?
ResourceQuota
  1 metadata meta.ObjectMeta; 2 spec ResourceQuotaSpec; 3 status ResourceQuotaStatus
ResourceQuotaSpec
  1 hard {}resource.Quantity; 2 scopes []string; 3 scopeSelector ScopeSelector?
ResourceQuotaStatus
  1 hard {}resource.Quantity; 2 used {}resource.Quantity
ResourceStatus
  1 name string; 2 resources []ResourceHealth
ScaleIOPersistentVolumeSource
  1 gateway string; 2 system string; 3 secretRef SecretReference?; 4 sslEnabled bool; 5 protectionDomain string
  6 storagePool string; 7 storageMode string; 8 volumeName string; 9 fsType string; 10 readOnly bool
ScopeSelector
  1 matchExpressions []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement
  1 scopeName string; 2 operator string; 3 values []string
Secret
  1 metadata meta.ObjectMeta; 5 immutable bool?; 2 data {}bytes; 4 stringData {}string; 3 type string
SecretReference
  1 name string; 2 namespace string
Service
  1 metadata meta.ObjectMeta; 2 spec ServiceSpec; 3 status ServiceStatus
ServiceAccount
  1 metadata meta.ObjectMeta; 2 secrets []ObjectReference; 3 imagePullSecrets []LocalObjectReference
  4 automountServiceAccountToken bool?
ServiceSpec
  1 ports []ServicePort; 2 selector {}string; 3 clusterIP string; 18 clusterIPs []string; 4 type string
  5 externalIPs []string; 7 sessionAffinity string; 8 loadBalancerIP string; 9 loadBalancerSourceRanges []string
  10 externalName string; 11 externalTrafficPolicy string; 12 healthCheckNodePort int32
  13 publishNotReadyAddresses bool; 14 sessionAffinityConfig SessionAffinityConfig?; 19 ipFamilies []string
  17 ipFamilyPolicy string?; 20 allocateLoadBalancerNodePorts bool?; 21 loadBalancerClass string?
  22 internalTrafficPolicy string?; 23 trafficDistribution string?
ServiceStatus
  1 loadBalancer LoadBalancerStatus; 2 conditions []meta.Condition
SessionAffinityConfig
  1 clientIP ClientIPConfig?
StorageOSPersistentVolumeSource
  1 volumeName string; 2 volumeNamespace string; 3 fsType string; 4 readOnly bool; 5 secretRef ObjectReference?
Taint
  1 key string; 2 value string; 3 effect string; 4 timeAdded meta.Time?
TopologySelectorLabelRequirement
  1 key string; 2 values []string
TopologySelectorTerm
  1 matchLabelExpressions []TopologySelectorLabelRequirement
TopologySpreadConstraint
  1 maxSkew int32; 2 topologyKey string; 3 whenUnsatisfiable string; 4 labelSelector meta.LabelSelector?
  5 minDomains int32?; 6 nodeAffinityPolicy string?; 7 nodeTaintsPolicy string?; 8 matchLabelKeys []string
VolumeMountStatus
  1 name string; 2 mountPath string; 3 readOnly bool; 4 recursiveReadOnly string?; 5 volumeStatus VolumeStatus?
VolumeNodeAffinity
  1 required NodeSelector?
VolumeStatus
  1 image ImageVolumeStatus?
package apps
Deployment
  1 metadata meta.ObjectMeta; 2 spec DeploymentSpec; 3 status DeploymentStatus
DeploymentCondition
  1 type string; 2 status string; 6 lastUpdateTime meta.Time; 7 lastTransitionTime meta.Time; 4 reason string
  5 message string
DeploymentSpec
  1 replicas int32?; 2 selector meta.LabelSelector?; 3 template core.PodTemplateSpec; 4 strategy DeploymentStrategy
  5 minReadySeconds int32; 6 revisionHistoryLimit int32?; 7 paused bool; 9 progressDeadlineSeconds int32?
DeploymentStatus
  1 observedGeneration int64; 2 replicas int32; 3 updatedReplicas int32; 7 readyReplicas int32
  4 availableReplicas int32; 5 unavailableReplicas int32; 9 terminatingReplicas int32?
  6 conditions []DeploymentCondition; 8 collisionCount int32?
DeploymentStrategy
  1 type string; 2 rollingUpdate RollingUpdateDeployment?
RollingUpdateDeployment
  1 maxUnavailable intstr.IntOrString?; 2 maxSurge intstr.IntOrString?
RollingUpdateStatefulSetStrategy
  1 partition int32?; 2 maxUnavailable intstr.IntOrString?
StatefulSet
  1 metadata meta.ObjectMeta; 2 spec StatefulSetSpec; 3 status StatefulSetStatus
StatefulSetCondition
  1 type string; 2 status string; 3 lastTransitionTime meta.Time; 4 reason string; 5 message string
StatefulSetOrdinals
  1 start int32
StatefulSetPersistentVolumeClaimRetentionPolicy
  1 whenDeleted string; 2 whenScaled string
StatefulSetSpec
  1 replicas int32?; 2 selector meta.LabelSelector?; 3 template core.PodTemplateSpec
  4 volumeClaimTemplates []core.PersistentVolumeClaim; 5 serviceName string; 6 podManagementPolicy string
  7 updateStrategy StatefulSetUpdateStrategy; 8 revisionHistoryLimit int32?; 9 minReadySeconds int32
  10 persistentVolumeClaimRetentionPolicy StatefulSetPersistentVolumeClaimRetentionPolicy?
  11 ordinals StatefulSetOrdinals?
StatefulSetStatus
  1 observedGeneration int64; 2 replicas int32; 3 readyReplicas int32; 4 currentReplicas int32
  5 updatedReplicas int32; 6 currentRevision string; 7 updateRevision string; 9 collisionCount int32?
  10 conditions []StatefulSetCondition; 11 availableReplicas int32
StatefulSetUpdateStrategy
  1 type string; 2 rollingUpdate RollingUpdateStatefulSetStrategy?
package batch
CronJob
  1 metadata meta.ObjectMeta; 2 spec CronJobSpec; 3 status CronJobStatus
CronJobSpec
  1 schedule string; 8 timeZone string?; 2 startingDeadlineSeconds int64?; 3 concurrencyPolicy string; 4 suspend bool?
  5 jobTemplate JobTemplateSpec; 6 successfulJobsHistoryLimit int32?; 7 failedJobsHistoryLimit int32?
CronJobStatus
  1 active []core.ObjectReference; 4 lastScheduleTime meta.Time?; 5 lastSuccessfulTime meta.Time?
Job
  1 metadata meta.ObjectMeta; 2 spec JobSpec; 3 status JobStatus
JobCondition
  1 type string; 2 status string; 3 lastProbeTime meta.Time; 4 lastTransitionTime meta.Time; 5 reason string
  6 message string
JobSpec
  1 parallelism int32?; 2 completions int32?; 3 activeDeadlineSeconds int64?; 11 podFailurePolicy PodFailurePolicy?
  16 successPolicy SuccessPolicy?; 7 backoffLimit int32?; 12 backoffLimitPerIndex int32?; 13 maxFailedIndexes int32?
  4 selector meta.LabelSelector?; 5 manualSelector bool?; 6 template core.PodTemplateSpec
  8 ttlSecondsAfterFinished int32?; 9 completionMode string?; 10 suspend bool?; 14 podReplacementPolicy string?
  15 managedBy string?
JobStatus
  1 conditions []JobCondition; 2 startTime meta.Time?; 3 completionTime meta.Time?; 4 active int32; 5 succeeded int32
  6 failed int32; 11 terminating int32?; 7 completedIndexes string; 10 failedIndexes string?
  8 uncountedTerminatedPods UncountedTerminatedPods?; 9 ready int32?
JobTemplateSpec
  1 metadata meta.ObjectMeta; 2 spec JobSpec
PodFailurePolicy
  1 rules []PodFailurePolicyRule
PodFailurePolicyOnExitCodesRequirement
  1 containerName string?; 2 operator string; 3 values []int32
PodFailurePolicyOnPodConditionsPattern
  1 type string; 2 status string
PodFailurePolicyRule
  1 action string; 2 onExitCodes PodFailurePolicyOnExitCodesRequirement?
  3 onPodConditions []PodFailurePolicyOnPodConditionsPattern
SuccessPolicy
  1 rules []SuccessPolicyRule
SuccessPolicyRule
  1 succeededIndexes string?; 2 succeededCount int32?
UncountedTerminatedPods
  1 succeeded []string; 2 failed []string
package coordination
Lease
  1 metadata meta.ObjectMeta; 2 spec LeaseSpec
LeaseSpec
  1 holderIdentity string?; 2 leaseDurationSeconds int32?; 3 acquireTime meta.MicroTime?; 4 renewTime meta.MicroTime?
  5 leaseTransitions int32?; 6 strategy string?; 7 preferredHolder string?
package policy
Eviction
  1 metadata meta.ObjectMeta; 2 deleteOptions meta.DeleteOptions?
PodDisruptionBudget
  1 metadata meta.ObjectMeta; 2 spec PodDisruptionBudgetSpec; 3 status PodDisruptionBudgetStatus
PodDisruptionBudgetStatus
  1 observedGeneration int64; 2 disruptedPods {}meta.Time; 3 disruptionsAllowed int32; 4 currentHealthy int32
  5 desiredHealthy int32; 6 expectedPods int32; 7 conditions []meta.Condition
package rbac
AggregationRule
  1 clusterRoleSelectors []meta.LabelSelector
ClusterRole
  1 metadata meta.ObjectMeta; 2 rules []PolicyRule; 3 aggregationRule AggregationRule?
ClusterRoleBinding
  1 metadata meta.ObjectMeta; 2 subjects []Subject; 3 roleRef RoleRef
PolicyRule
  1 verbs []string; 2 apiGroups []string; 3 resources []string; 4 resourceNames []string; 5 nonResourceURLs []string
Role
  1 metadata meta.ObjectMeta; 2 rules []PolicyRule
RoleBinding
  1 metadata meta.ObjectMeta; 2 subjects []Subject; 3 roleRef RoleRef
RoleRef
  1 apiGroup string; 2 kind string; 3 name string
Subject
  1 kind string; 2 apiGroup string; 3 name string; 4 namespace string
package scheduling
PriorityClass
  1 metadata meta.ObjectMeta; 2 value int32; 3 globalDefault bool; 4 description string; 5 preemptionPolicy string?
package storage
StorageClass
  1 metadata meta.ObjectMeta; 2 provisioner string; 3 parameters {}string; 4 reclaimPolicy string?
  5 mountOptions []string; 6 allowVolumeExpansion bool?; 7 volumeBindingMode string?
  8 allowedTopologies []core.TopologySelectorTerm
package authentication
ExtraValue => items
  1 items []string
BoundObjectReference
  1 kind string; 2 apiVersion string; 3 name string; 4 uID string json=uid
SelfSubjectReview
  1 metadata meta.ObjectMeta; 2 status SelfSubjectReviewStatus
SelfSubjectReviewStatus
  1 userInfo UserInfo
TokenRequest
  1 metadata meta.ObjectMeta; 2 spec TokenRequestSpec; 3 status TokenRequestStatus
TokenRequestSpec
  1 audiences []string; 4 expirationSeconds int64?; 3 boundObjectRef BoundObjectReference?
TokenRequestStatus
  1 token string; 2 expirationTimestamp meta.Time
TokenReview
  1 metadata meta.ObjectMeta; 2 spec TokenReviewSpec; 3 status TokenReviewStatus
TokenReviewSpec
  1 token string; 2 audiences []string
TokenReviewStatus
  1 authenticated bool; 2 user UserInfo; 4 audiences []string; 3 error string
UserInfo
  1 username string; 2 uid string; 3 groups []string; 4 extra {}ExtraValue
package authorization
ExtraValue => items
  1 items []string
FieldSelectorAttributes
  1 rawSelector string; 2 requirements []meta.FieldSelectorRequirement
LabelSelectorAttributes
  1 rawSelector string; 2 requirements []meta.LabelSelectorRequirement
LocalSubjectAccessReview
  1 metadata meta.ObjectMeta; 2 spec SubjectAccessReviewSpec; 3 status SubjectAccessReviewStatus
NonResourceAttributes
  1 path string; 2 verb string
NonResourceRule
  1 verbs []string; 2 nonResourceURLs []string
ResourceAttributes
  1 namespace string; 2 verb string; 3 group string; 4 version string; 5 resource string; 6 subresource string
  7 name string; 8 fieldSelector FieldSelectorAttributes?; 9 labelSelector LabelSelectorAttributes?
ResourceRule
  1 verbs []string; 2 apiGroups []string; 3 resources []string; 4 resourceNames []string
SelfSubjectAccessReview
  1 metadata meta.ObjectMeta; 2 spec SelfSubjectAccessReviewSpec; 3 status SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec
  1 resourceAttributes ResourceAttributes?; 2 nonResourceAttributes NonResourceAttributes?
SelfSubjectRulesReview
  1 metadata meta.ObjectMeta; 2 spec SelfSubjectRulesReviewSpec; 3 status SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec
  1 namespace string
SubjectAccessReview
  1 metadata meta.ObjectMeta; 2 spec SubjectAccessReviewSpec; 3 status SubjectAccessReviewStatus
SubjectAccessReviewSpec
  1 resourceAttributes ResourceAttributes?; 2 nonResourceAttributes NonResourceAttributes?; 3 user string
  4 groups []string; 5 extra {}ExtraValue; 6 uid string
SubjectAccessReviewStatus
  1 allowed bool; 4 denied bool; 2 reason string; 3 evaluationError string
SubjectRulesReviewStatus
  1 resourceRules []ResourceRule; 2 nonResourceRules []NonResourceRule; 3 incomplete bool; 4 evaluationError string
package meta
Condition
  1 type string; 2 status string; 3 observedGeneration int64; 4 lastTransitionTime Time; 5 reason string
  6 message string
FieldSelectorRequirement
  1 key string; 2 operator string; 3 values []string
`;
