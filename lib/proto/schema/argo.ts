/** Messages of Argo's kinds: their fields with numbers and types, in the form that `read_schema.ts` reads. */
export const ARGO = `
package argo
Amount => value
  1 value number
ArchiveStrategy
  1 tar TarStrategy?; 2 none NoneStrategy?; 3 zip ZipStrategy?
Arguments
  1 parameters []Parameter; 2 artifacts []Artifact
ArtGCStatus
  1 strategiesProcessed {}bool; 2 podsRecouped {}bool; 3 notSpecified bool
Artifact
  1 name string!; 2 path string; 3 mode int32?; 4 from string; 5 artifactLocation ArtifactLocation inline
  6 globalName string; 7 archive ArchiveStrategy?; 8 optional bool; 9 subPath string; 10 recurseMode bool
  11 fromExpression string; 12 artifactGC ArtifactGC?; 13 deleted bool
ArtifactGC
  1 strategy string; 2 podMetadata Metadata?; 3 serviceAccountName string
ArtifactLocation
  1 archiveLogs bool?; 2 s3 S3Artifact?; 3 git GitArtifact?; 4 http HTTPArtifact?
  5 artifactory ArtifactoryArtifact?; 6 hdfs HDFSArtifact?; 7 raw RawArtifact?; 8 oss OSSArtifact?
  9 gcs GCSArtifact?; 10 azure AzureArtifact?; 11 plugin PluginArtifact?
ArtifactPaths
  1 artifact Artifact inline
ArtifactRepository
  1 archiveLogs bool?; 2 s3 S3ArtifactRepository?; 3 artifactory ArtifactoryArtifactRepository?
  4 hdfs HDFSArtifactRepository?; 5 oss OSSArtifactRepository?; 6 gcs GCSArtifactRepository?
  7 azure AzureArtifactRepository?; 8 plugin PluginArtifactRepository?
ArtifactRepositoryRef
  1 configMap string; 2 key string
ArtifactRepositoryRefStatus
  1 artifactRepositoryRef ArtifactRepositoryRef inline; 2 namespace string; 3 default bool
  4 artifactRepository ArtifactRepository?
ArtifactoryArtifact
  1 url string!; 2 artifactoryAuth ArtifactoryAuth inline
ArtifactoryArtifactRepository
  1 artifactoryAuth ArtifactoryAuth inline; 2 repoURL string; 3 keyFormat string
ArtifactoryAuth
  1 usernameSecret core.SecretKeySelector?; 2 passwordSecret core.SecretKeySelector?
AzureArtifact
  1 azureBlobContainer AzureBlobContainer inline; 2 blob string!
AzureArtifactRepository
  1 blobContainer AzureBlobContainer inline; 2 blobNameFormat string
AzureBlobContainer
  1 endpoint string!; 2 container string!; 3 accountKeySecret core.SecretKeySelector?; 4 useSDKCreds bool
Backoff
  1 duration string; 2 factor intstr.IntOrString?; 3 maxDuration string; 4 cap string
BasicAuth
  1 usernameSecret core.SecretKeySelector?; 2 passwordSecret core.SecretKeySelector?
Cache
  1 configMap core.LocalObjectReference?!
ClientCertAuth
  1 clientCertSecret core.SecretKeySelector?; 2 clientKeySecret core.SecretKeySelector?
ClusterWorkflowTemplate
  1 metadata meta.ObjectMeta!; 2 spec WorkflowSpec!
ClusterWorkflowTemplateList
  1 metadata meta.ListMeta!; 2 items []ClusterWorkflowTemplate!
Column
  1 name string!; 2 type string!; 3 key string!
Condition
  1 type string; 2 status string; 3 message string
ContainerNode
  1 container core.Container inline; 2 dependencies []string
ContainerSetRetryStrategy
  1 duration string; 2 retries intstr.IntOrString?!
ContainerSetTemplate
  3 volumeMounts []core.VolumeMount; 4 containers []ContainerNode!; 5 retryStrategy ContainerSetRetryStrategy?
ContinueOn
  1 error bool; 2 failed bool
Counter
  1 value string!
CreateS3BucketOptions
  3 objectLocking bool
CronWorkflow
  1 metadata meta.ObjectMeta!; 2 spec CronWorkflowSpec!; 3 status CronWorkflowStatus
CronWorkflowList
  1 metadata meta.ListMeta!; 2 items []CronWorkflow!
CronWorkflowSpec
  1 workflowSpec WorkflowSpec!; 3 concurrencyPolicy string; 4 suspend bool; 5 startingDeadlineSeconds int64?
  6 successfulJobsHistoryLimit int32?; 7 failedJobsHistoryLimit int32?; 8 timezone string
  9 workflowMeta meta.ObjectMeta? json=workflowMetadata; 10 stopStrategy StopStrategy?; 11 schedules []string!
  12 when string
CronWorkflowStatus
  1 active []core.ObjectReference!; 2 lastScheduledTime meta.Time?!; 3 conditions []Condition!; 4 succeeded int64!
  5 failed int64!; 6 phase string!
DAGTask
  1 name string!; 2 template string; 3 arguments Arguments; 4 templateRef TemplateRef?; 5 dependencies []string
  6 withItems []Item; 7 withParam string; 8 withSequence Sequence?; 9 when string; 10 continueOn ContinueOn?
  11 onExit string; 12 depends string; 13 hooks {}LifecycleHook; 14 inline Template?
DAGTemplate
  1 target string; 2 tasks []DAGTask!; 3 failFast bool?
Data
  1 source DataSource!; 2 transformation []TransformationStep!
DataSource
  1 artifactPaths ArtifactPaths?
Event
  1 selector string!
ExecutorConfig
  1 serviceAccountName string
ExecutorPlugin
  1 spec ExecutorPluginSpec!; 2 metadata meta.ObjectMeta!
ExecutorPluginSidecar
  1 automountServiceAccountToken bool; 2 container core.Container!
ExecutorPluginSpec
  1 sidecar ExecutorPluginSidecar!
GCSArtifact
  1 gCSBucket GCSBucket inline; 2 key string!
GCSArtifactRepository
  1 gCSBucket GCSBucket inline; 2 keyFormat string
GCSBucket
  1 bucket string; 2 serviceAccountKeySecret core.SecretKeySelector?
Gauge
  1 value string!; 2 realtime bool?!; 3 operation string
GitArtifact
  1 repo string!; 2 revision string; 3 depth uint64?; 4 fetch []string; 5 usernameSecret core.SecretKeySelector?
  6 passwordSecret core.SecretKeySelector?; 7 sshPrivateKeySecret core.SecretKeySelector?
  8 insecureIgnoreHostKey bool; 9 disableSubmodules bool; 10 singleBranch bool; 11 branch string
  12 insecureSkipTLS bool
HDFSArtifact
  1 hDFSConfig HDFSConfig inline; 2 path string!; 3 force bool
HDFSArtifactRepository
  1 hDFSConfig HDFSConfig inline; 2 pathFormat string; 3 force bool
HDFSConfig
  1 hDFSKrbConfig HDFSKrbConfig inline; 2 addresses []string; 3 hdfsUser string; 4 dataTransferProtection string
HDFSKrbConfig
  1 krbCCacheSecret core.SecretKeySelector?; 2 krbKeytabSecret core.SecretKeySelector?; 3 krbUsername string
  4 krbRealm string; 5 krbConfigConfigMap core.ConfigMapKeySelector?; 6 krbServicePrincipalName string
HTTP
  1 method string; 2 url string!; 3 headers []HTTPHeader; 4 timeoutSeconds int64?; 5 body string
  6 successCondition string; 7 insecureSkipVerify bool; 8 bodyFrom HTTPBodySource?
HTTPArtifact
  1 url string!; 2 headers []Header; 3 auth HTTPAuth?; 4 saveStreamViaFile bool
HTTPAuth
  1 clientCert ClientCertAuth; 2 oauth2 OAuth2Auth; 3 basicAuth BasicAuth
HTTPBodySource
  1 bytes bytes
HTTPHeader
  1 name string!; 2 value string; 3 valueFrom HTTPHeaderSource?
HTTPHeaderSource
  1 secretKeyRef core.SecretKeySelector?
Header
  1 name string!; 2 value string!
Histogram
  3 value string!; 4 buckets []Amount!
Inputs
  1 parameters []Parameter; 2 artifacts []Artifact
Item => value
  1 value json
LabelKeys
  1 items []string
LabelValueFrom
  1 expression string!
LabelValues
  1 items []string
LifecycleHook
  1 template string; 2 arguments Arguments; 3 templateRef TemplateRef?; 4 expression string
Link
  1 name string!; 2 scope string!; 3 url string!; 4 target string!
ManifestFrom
  1 artifact Artifact?!
MemoizationStatus
  1 hit bool!; 2 key string!; 3 cacheName string!
Memoize
  1 key string!; 2 cache Cache?!; 3 maxAge string!
Metadata
  1 annotations {}string; 2 labels {}string
MetricLabel
  1 key string!; 2 value string!
Metrics
  1 prometheus []Prometheus!
Mutex
  1 name string; 2 namespace string; 3 database bool
MutexHolding
  1 mutex string; 2 holder string
MutexStatus
  1 holding []MutexHolding; 2 waiting []MutexHolding
NodeFlag
  1 hooked bool; 2 retried bool
NodeStatus
  1 id string!; 2 name string!; 3 displayName string; 4 type string!; 5 templateName string; 6 templateRef TemplateRef?
  7 phase string; 8 boundaryID string; 9 message string; 10 startedAt meta.Time; 11 finishedAt meta.Time
  12 podIP string; 13 daemoned bool?; 14 inputs Inputs?; 15 outputs Outputs?; 16 children []string
  17 outboundNodes []string; 20 templateScope string; 21 resourcesDuration {}int64; 22 hostNodeName string
  23 memoizationStatus MemoizationStatus?; 24 estimatedDuration int64
  25 synchronizationStatus NodeSynchronizationStatus?; 26 progress string; 27 nodeFlag NodeFlag?
  28 taskResultSynced bool?; 29 failedPodRestarts int32; 30 restartingPodUID string
NodeSynchronizationStatus
  1 waiting string
NoneStrategy
OAuth2Auth
  1 clientIDSecret core.SecretKeySelector?; 2 clientSecretSecret core.SecretKeySelector?
  3 tokenURLSecret core.SecretKeySelector?; 5 scopes []string; 6 endpointParams []OAuth2EndpointParam
OAuth2EndpointParam
  1 key string!; 2 value string
OSSArtifact
  1 oSSBucket OSSBucket inline; 2 key string!
OSSArtifactRepository
  1 oSSBucket OSSBucket inline; 2 keyFormat string
OSSBucket
  1 endpoint string; 2 bucket string; 3 accessKeySecret core.SecretKeySelector?
  4 secretKeySecret core.SecretKeySelector?; 5 createBucketIfNotPresent bool; 6 securityToken string
  7 lifecycleRule OSSLifecycleRule?; 8 useSDKCreds bool
OSSLifecycleRule
  1 markInfrequentAccessAfterDays int32; 2 markDeletionAfterDays int32
Object => value
  1 value json
Outputs
  1 parameters []Parameter; 2 artifacts []Artifact; 3 result string?; 4 exitCode string?
ParallelSteps => steps
  1 steps []WorkflowStep!
Parameter
  1 name string!; 2 default anyString?; 3 value anyString?; 4 valueFrom ValueFrom?; 5 globalName string
  6 enum []anyString; 7 description anyString?
Plugin => object
  1 object Object
PluginArtifact
  1 name string; 2 configuration string; 3 connectionTimeoutSeconds int32; 4 key string!
PluginArtifactRepository
  1 name string!; 2 keyFormat string; 3 configuration string!
PodGC
  1 strategy string; 2 labelSelector meta.LabelSelector?; 3 deleteDelayDuration string
Prometheus
  1 name string!; 2 labels []MetricLabel; 3 help string!; 4 when string; 5 gauge Gauge?; 6 histogram Histogram?
  7 counter Counter?
RawArtifact
  1 data string!
ResourceTemplate
  1 action string!; 2 mergeStrategy string; 3 manifest string; 4 setOwnerReference bool; 5 successCondition string
  6 failureCondition string; 7 flags []string; 8 manifestFrom ManifestFrom?
RetryAffinity
  1 nodeAntiAffinity RetryNodeAntiAffinity?
RetryNodeAntiAffinity
RetryStrategy
  1 limit intstr.IntOrString?; 2 retryPolicy string; 3 backoff Backoff?; 4 affinity RetryAffinity?
  5 expression string
S3Artifact
  1 s3Bucket S3Bucket inline; 2 key string
S3ArtifactRepository
  1 s3Bucket S3Bucket inline; 2 keyFormat string; 3 keyPrefix string
S3Bucket
  1 endpoint string; 2 bucket string; 3 region string; 4 insecure bool?; 5 accessKeySecret core.SecretKeySelector?
  6 secretKeySecret core.SecretKeySelector?; 7 roleARN string; 8 useSDKCreds bool
  9 createBucketIfNotPresent CreateS3BucketOptions?; 10 encryptionOptions S3EncryptionOptions?
  11 caSecret core.SecretKeySelector?; 12 sessionTokenSecret core.SecretKeySelector?; 13 addressingStyle string
S3EncryptionOptions
  1 kmsKeyId string; 2 kmsEncryptionContext string; 3 enableEncryption bool
  4 serverSideCustomerKeySecret core.SecretKeySelector?
ScriptTemplate
  1 container core.Container inline; 2 source string!
SemaphoreHolding
  1 semaphore string; 2 holders []string
SemaphoreRef
  1 configMapKeyRef core.ConfigMapKeySelector?; 2 namespace string; 3 database SyncDatabaseRef?
SemaphoreStatus
  1 holding []SemaphoreHolding; 2 waiting []SemaphoreHolding
Sequence
  1 count intstr.IntOrString?; 2 start intstr.IntOrString?; 3 end intstr.IntOrString?; 4 format string
StopStrategy
  1 expression string!
Submit
  1 workflowTemplateRef WorkflowTemplateRef!; 2 arguments Arguments?; 3 metadata meta.ObjectMeta
SubmitOpts
  1 name string; 2 generateName string; 4 entrypoint string json=entryPoint; 5 parameters []string
  7 serviceAccount string; 8 dryRun bool; 9 serverDryRun bool; 10 labels string
  11 ownerReference meta.OwnerReference?; 12 annotations string; 13 podPriorityClassName string; 14 priority int32?
  15 artifacts []string
SuppliedValueFrom
SuspendTemplate
  1 duration string
SyncDatabaseRef
  1 key string!
Synchronization
  3 semaphores []SemaphoreRef; 4 mutexes []Mutex
SynchronizationStatus
  1 semaphore SemaphoreStatus?; 2 mutex MutexStatus?
TTLStrategy
  1 secondsAfterCompletion int32?; 2 secondsAfterSuccess int32?; 3 secondsAfterFailure int32?
TarStrategy
  1 compressionLevel int32?
Template
  1 name string; 5 inputs Inputs; 6 outputs Outputs; 7 nodeSelector {}string; 8 affinity core.Affinity?
  9 metadata Metadata; 10 daemon bool?; 11 steps []ParallelSteps; 12 container core.Container?
  13 script ScriptTemplate?; 14 resource ResourceTemplate?; 15 dag DAGTemplate?; 16 suspend SuspendTemplate?
  17 volumes []core.Volume; 18 initContainers []UserContainer; 19 sidecars []UserContainer
  20 archiveLocation ArtifactLocation?; 21 activeDeadlineSeconds intstr.IntOrString?
  22 retryStrategy RetryStrategy?; 23 parallelism int64?; 24 tolerations []core.Toleration; 25 schedulerName string
  26 priorityClassName string; 28 serviceAccountName string; 29 hostAliases []core.HostAlias
  30 securityContext core.PodSecurityContext?; 31 podSpecPatch string; 32 automountServiceAccountToken bool?
  33 executor ExecutorConfig?; 35 metrics Metrics?; 36 synchronization Synchronization?; 37 memoize Memoize?
  38 timeout string; 39 data Data?; 40 containerSet ContainerSetTemplate?; 41 failFast bool?; 42 http HTTP?
  43 plugin Plugin?; 44 annotations {}string; 45 pendingTimeout string; 46 podResources core.ResourceRequirements?
  47 resourceClaims []core.PodResourceClaim
TemplateRef
  1 name string; 2 template string; 4 clusterScope bool
TransformationStep
  1 expression string!
UserContainer
  1 container core.Container inline; 2 mirrorVolumeMounts bool?
ValueFrom
  1 path string; 2 jsonPath string; 3 jqFilter string; 4 parameter string; 5 default anyString?
  6 supplied SuppliedValueFrom?; 7 event string; 8 expression string; 9 configMapKeyRef core.ConfigMapKeySelector?
Version
  1 version string!; 2 buildDate string!; 3 gitCommit string!; 4 gitTag string!; 5 gitTreeState string!
  6 goVersion string!; 7 compiler string!; 8 platform string!
VolumeClaimGC
  1 strategy string
Workflow
  1 metadata meta.ObjectMeta!; 2 spec WorkflowSpec!; 3 status WorkflowStatus
WorkflowEventBinding
  1 metadata meta.ObjectMeta!; 2 spec WorkflowEventBindingSpec!
WorkflowEventBindingList
  1 metadata meta.ListMeta!; 2 items []WorkflowEventBinding!
WorkflowEventBindingSpec
  1 event Event!; 2 submit Submit?
WorkflowLevelArtifactGC
  1 artifactGC ArtifactGC inline; 2 forceFinalizerRemoval bool; 3 podSpecPatch string
WorkflowList
  1 metadata meta.ListMeta!; 2 items []Workflow!
WorkflowMetadata
  1 labels {}string; 2 annotations {}string; 3 labelsFrom {}LabelValueFrom
WorkflowSpec
  1 templates []Template; 2 entrypoint string; 3 arguments Arguments; 4 serviceAccountName string
  5 volumes []core.Volume; 6 volumeClaimTemplates []core.PersistentVolumeClaim; 7 parallelism int64?
  8 artifactRepositoryRef ArtifactRepositoryRef?; 9 suspend bool?; 10 nodeSelector {}string
  11 affinity core.Affinity?; 12 tolerations []core.Toleration; 13 imagePullSecrets []core.LocalObjectReference
  14 hostNetwork bool?; 15 dnsPolicy string?; 16 dnsConfig core.PodDNSConfig?; 17 onExit string
  19 activeDeadlineSeconds int64?; 20 priority int32?; 21 schedulerName string; 22 podGC PodGC?
  23 podPriorityClassName string; 25 hostAliases []core.HostAlias; 26 securityContext core.PodSecurityContext?
  27 podSpecPatch string; 28 automountServiceAccountToken bool?; 29 executor ExecutorConfig?
  30 ttlStrategy TTLStrategy?; 31 podDisruptionBudget policy.PodDisruptionBudgetSpec?; 32 metrics Metrics?
  33 shutdown string; 34 workflowTemplateRef WorkflowTemplateRef?; 35 synchronization Synchronization?
  36 volumeClaimGC VolumeClaimGC?; 37 retryStrategy RetryStrategy?; 38 podMetadata Metadata?
  39 templateDefaults Template?; 40 archiveLogs bool?; 41 hooks {}LifecycleHook
  42 workflowMetadata WorkflowMetadata?; 43 artifactGC WorkflowLevelArtifactGC?; 44 executorPlugins []ExecutorPlugin
  45 podResources core.ResourceRequirements?; 47 resourceClaims []core.PodResourceClaim
WorkflowStatus
  1 phase string; 2 startedAt meta.Time; 3 finishedAt meta.Time; 4 message string; 5 compressedNodes string
  6 nodes {}NodeStatus; 7 persistentVolumeClaims []core.Volume; 8 outputs Outputs?; 9 storedTemplates {}Template
  10 offloadNodeStatusVersion string; 12 resourcesDuration {}int64; 13 conditions []Condition
  14 storedWorkflowTemplateSpec WorkflowSpec?; 15 synchronization SynchronizationStatus?; 16 estimatedDuration int64
  17 progress string; 18 artifactRepositoryRef ArtifactRepositoryRefStatus?; 19 artifactGCStatus ArtGCStatus?
  20 taskResultsCompletionStatus {}bool
WorkflowStep
  1 name string; 2 template string; 3 arguments Arguments; 4 templateRef TemplateRef?; 5 withItems []Item
  6 withParam string; 7 withSequence Sequence?; 8 when string; 9 continueOn ContinueOn?; 11 onExit string
  12 hooks {}LifecycleHook; 13 inline Template?
WorkflowTemplate
  1 metadata meta.ObjectMeta!; 2 spec WorkflowSpec!
WorkflowTemplateList
  1 metadata meta.ListMeta!; 2 items []WorkflowTemplate!
WorkflowTemplateRef
  1 name string; 2 clusterScope bool
ZipStrategy
`;
