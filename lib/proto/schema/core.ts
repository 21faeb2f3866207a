/** Messages of the Kubernetes core group, as far as Argo's kinds hold them. */
export const CORE = `
package core
AWSElasticBlockStoreVolumeSource
  1 volumeID string!; 2 fsType string; 3 partition int32; 4 readOnly bool
Affinity
  1 nodeAffinity NodeAffinity?; 2 podAffinity PodAffinity?; 3 podAntiAffinity PodAntiAffinity?
AppArmorProfile
  1 type string!; 2 localhostProfile string?
AzureDiskVolumeSource
  1 diskName string!; 2 diskURI string!; 3 cachingMode string?; 4 fsType string?; 5 readOnly bool?; 6 kind string?
AzureFileVolumeSource
  1 secretName string!; 2 shareName string!; 3 readOnly bool
CSIVolumeSource
  1 driver string!; 2 readOnly bool?; 3 fsType string?; 4 volumeAttributes {}string
  5 nodePublishSecretRef LocalObjectReference?
Capabilities
  1 add []string; 2 drop []string
CephFSVolumeSource
  1 monitors []string!; 2 path string; 3 user string; 4 secretFile string; 5 secretRef LocalObjectReference?
  6 readOnly bool
CinderVolumeSource
  1 volumeID string!; 2 fsType string; 3 readOnly bool; 4 secretRef LocalObjectReference?
ClusterTrustBundleProjection
  1 name string?; 2 signerName string?; 3 labelSelector meta.LabelSelector?; 4 path string!; 5 optional bool?
ConfigMapEnvSource
  1 localObjectReference LocalObjectReference inline; 2 optional bool?
ConfigMapKeySelector
  1 localObjectReference LocalObjectReference inline; 2 key string!; 3 optional bool?
ConfigMapProjection
  1 localObjectReference LocalObjectReference inline; 2 items []KeyToPath; 4 optional bool?
ConfigMapVolumeSource
  1 localObjectReference LocalObjectReference inline; 2 items []KeyToPath; 3 defaultMode int32?; 4 optional bool?
Container
  1 name string!; 2 image string; 3 command []string; 4 args []string; 5 workingDir string; 6 ports []ContainerPort
  7 env []EnvVar; 8 resources ResourceRequirements; 9 volumeMounts []VolumeMount; 10 livenessProbe Probe?
  11 readinessProbe Probe?; 12 lifecycle Lifecycle?; 13 terminationMessagePath string; 14 imagePullPolicy string
  15 securityContext SecurityContext?; 16 stdin bool; 17 stdinOnce bool; 18 tty bool; 19 envFrom []EnvFromSource
  20 terminationMessagePolicy string; 21 volumeDevices []VolumeDevice; 22 startupProbe Probe?
  23 resizePolicy []ContainerResizePolicy; 24 restartPolicy string?; 25 restartPolicyRules []ContainerRestartRule
ContainerPort
  1 name string; 2 hostPort int32; 3 containerPort int32!; 4 protocol string; 5 hostIP string
ContainerResizePolicy
  1 resourceName string!; 2 restartPolicy string!
ContainerRestartRule
  1 action string; 2 exitCodes ContainerRestartRuleOnExitCodes?
ContainerRestartRuleOnExitCodes
  1 operator string; 2 values []int32
DownwardAPIProjection
  1 items []DownwardAPIVolumeFile
DownwardAPIVolumeFile
  1 path string!; 2 fieldRef ObjectFieldSelector?; 3 resourceFieldRef ResourceFieldSelector?; 4 mode int32?
DownwardAPIVolumeSource
  1 items []DownwardAPIVolumeFile; 2 defaultMode int32?
EmptyDirVolumeSource
  1 medium string; 2 sizeLimit resource.Quantity?
EnvFromSource
  1 prefix string; 2 configMapRef ConfigMapEnvSource?; 3 secretRef SecretEnvSource?
EnvVar
  1 name string!; 2 value string; 3 valueFrom EnvVarSource?
EnvVarSource
  1 fieldRef ObjectFieldSelector?; 2 resourceFieldRef ResourceFieldSelector?
  3 configMapKeyRef ConfigMapKeySelector?; 4 secretKeyRef SecretKeySelector?; 5 fileKeyRef FileKeySelector?
EphemeralVolumeSource
  1 volumeClaimTemplate PersistentVolumeClaimTemplate?
Event
  1 metadata meta.ObjectMeta!; 2 involvedObject ObjectReference!; 3 reason string; 4 message string
  5 source EventSource; 6 firstTimestamp meta.Time; 7 lastTimestamp meta.Time; 8 count int32; 9 type string
  10 eventTime meta.MicroTime; 11 series EventSeries?; 12 action string; 13 related ObjectReference?
  14 reportingComponent string!; 15 reportingInstance string!
EventSeries
  1 count int32; 2 lastObservedTime meta.MicroTime
EventSource
  1 component string; 2 host string
ExecAction
  1 command []string
FCVolumeSource
  1 targetWWNs []string; 2 lun int32?; 3 fsType string; 4 readOnly bool; 5 wwids []string
FileKeySelector
  1 volumeName string!; 2 path string!; 3 key string!; 4 optional bool?
FlexVolumeSource
  1 driver string!; 2 fsType string; 3 secretRef LocalObjectReference?; 4 readOnly bool; 5 options {}string
FlockerVolumeSource
  1 datasetName string; 2 datasetUUID string
GCEPersistentDiskVolumeSource
  1 pdName string!; 2 fsType string; 3 partition int32; 4 readOnly bool
GRPCAction
  1 port int32!; 2 service string?!
GitRepoVolumeSource
  1 repository string!; 2 revision string; 3 directory string
GlusterfsVolumeSource
  1 endpoints string!; 2 path string!; 3 readOnly bool
HTTPGetAction
  1 path string; 2 port intstr.IntOrString!; 3 host string; 4 scheme string; 5 httpHeaders []HTTPHeader
HTTPHeader
  1 name string!; 2 value string!
HostAlias
  1 ip string!; 2 hostnames []string
HostPathVolumeSource
  1 path string!; 2 type string?
ISCSIVolumeSource
  1 targetPortal string!; 2 iqn string!; 3 lun int32!; 4 iscsiInterface string; 5 fsType string; 6 readOnly bool
  7 portals []string; 8 chapAuthDiscovery bool; 10 secretRef LocalObjectReference?; 11 chapAuthSession bool
  12 initiatorName string?
ImageVolumeSource
  1 reference string; 2 pullPolicy string
KeyToPath
  1 key string!; 2 path string!; 3 mode int32?
Lifecycle
  1 postStart LifecycleHandler?; 2 preStop LifecycleHandler?; 3 stopSignal string?
LifecycleHandler
  1 exec ExecAction?; 2 httpGet HTTPGetAction?; 3 tcpSocket TCPSocketAction?; 4 sleep SleepAction?
LocalObjectReference
  1 name string
ModifyVolumeStatus
  1 targetVolumeAttributesClassName string; 2 status string!
NFSVolumeSource
  1 server string!; 2 path string!; 3 readOnly bool
NodeAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector?
  2 preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
NodeSelector
  1 nodeSelectorTerms []NodeSelectorTerm!
NodeSelectorRequirement
  1 key string!; 2 operator string!; 3 values []string
NodeSelectorTerm
  1 matchExpressions []NodeSelectorRequirement; 2 matchFields []NodeSelectorRequirement
ObjectFieldSelector
  1 apiVersion string; 2 fieldPath string!
ObjectReference
  1 kind string; 2 namespace string; 3 name string; 4 uid string; 5 apiVersion string; 6 resourceVersion string
  7 fieldPath string
PersistentVolumeClaim
  1 metadata meta.ObjectMeta; 2 spec PersistentVolumeClaimSpec; 3 status PersistentVolumeClaimStatus
PersistentVolumeClaimCondition
  1 type string!; 2 status string!; 3 lastProbeTime meta.Time; 4 lastTransitionTime meta.Time; 5 reason string
  6 message string
PersistentVolumeClaimSpec
  1 accessModes []string; 2 resources VolumeResourceRequirements; 3 volumeName string
  4 selector meta.LabelSelector?; 5 storageClassName string?; 6 volumeMode string?
  7 dataSource TypedLocalObjectReference?; 8 dataSourceRef TypedObjectReference?
  9 volumeAttributesClassName string?
PersistentVolumeClaimStatus
  1 phase string; 2 accessModes []string; 3 capacity {}resource.Quantity
  4 conditions []PersistentVolumeClaimCondition; 5 allocatedResources {}resource.Quantity
  7 allocatedResourceStatuses {}string; 8 currentVolumeAttributesClassName string?
  9 modifyVolumeStatus ModifyVolumeStatus?
PersistentVolumeClaimTemplate
  1 metadata meta.ObjectMeta; 2 spec PersistentVolumeClaimSpec!
PersistentVolumeClaimVolumeSource
  1 claimName string!; 2 readOnly bool
PhotonPersistentDiskVolumeSource
  1 pdID string!; 2 fsType string
PodAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm
  2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAffinityTerm
  1 labelSelector meta.LabelSelector?; 2 namespaces []string; 3 topologyKey string!
  4 namespaceSelector meta.LabelSelector?; 5 matchLabelKeys []string; 6 mismatchLabelKeys []string
PodAntiAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm
  2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodCertificateProjection
  1 signerName string; 2 keyType string; 3 maxExpirationSeconds int32?; 4 credentialBundlePath string
  5 keyPath string; 6 certificateChainPath string; 7 userAnnotations {}string
PodDNSConfig
  1 nameservers []string; 2 searches []string; 3 options []PodDNSConfigOption
PodDNSConfigOption
  1 name string; 2 value string?
PodLogOptions
  1 container string; 2 follow bool; 3 previous bool; 4 sinceSeconds int64?; 5 sinceTime meta.Time?
  6 timestamps bool; 7 tailLines int64?; 8 limitBytes int64?; 9 insecureSkipTLSVerifyBackend bool; 10 stream string?
PodResourceClaim
  1 name string!; 3 resourceClaimName string?; 4 resourceClaimTemplateName string?
PodSecurityContext
  1 seLinuxOptions SELinuxOptions?; 2 runAsUser int64?; 3 runAsNonRoot bool?; 4 supplementalGroups []int64
  5 fsGroup int64?; 6 runAsGroup int64?; 7 sysctls []Sysctl; 8 windowsOptions WindowsSecurityContextOptions?
  9 fsGroupChangePolicy string?; 10 seccompProfile SeccompProfile?; 11 appArmorProfile AppArmorProfile?
  12 supplementalGroupsPolicy string?; 13 seLinuxChangePolicy string?
PortworxVolumeSource
  1 volumeID string!; 2 fsType string; 3 readOnly bool
PreferredSchedulingTerm
  1 weight int32!; 2 preference NodeSelectorTerm!
Probe
  1 handler ProbeHandler inline; 2 initialDelaySeconds int32; 3 timeoutSeconds int32; 4 periodSeconds int32
  5 successThreshold int32; 6 failureThreshold int32; 7 terminationGracePeriodSeconds int64?
ProbeHandler
  1 exec ExecAction?; 2 httpGet HTTPGetAction?; 3 tcpSocket TCPSocketAction?; 4 grpc GRPCAction?
ProjectedVolumeSource
  1 sources []VolumeProjection!; 2 defaultMode int32?
QuobyteVolumeSource
  1 registry string!; 2 volume string!; 3 readOnly bool; 4 user string; 5 group string; 6 tenant string
RBDVolumeSource
  1 monitors []string!; 2 image string!; 3 fsType string; 4 pool string; 5 user string; 6 keyring string
  7 secretRef LocalObjectReference?; 8 readOnly bool
ResourceClaim
  1 name string!; 2 request string
ResourceFieldSelector
  1 containerName string; 2 resource string!; 3 divisor resource.Quantity
ResourceRequirements
  1 limits {}resource.Quantity; 2 requests {}resource.Quantity; 3 claims []ResourceClaim
SELinuxOptions
  1 user string; 2 role string; 3 type string; 4 level string
ScaleIOVolumeSource
  1 gateway string!; 2 system string!; 3 secretRef LocalObjectReference?!; 4 sslEnabled bool; 5 protectionDomain string
  6 storagePool string; 7 storageMode string; 8 volumeName string; 9 fsType string; 10 readOnly bool
SeccompProfile
  1 type string!; 2 localhostProfile string?
SecretEnvSource
  1 localObjectReference LocalObjectReference inline; 2 optional bool?
SecretKeySelector
  1 localObjectReference LocalObjectReference inline; 2 key string!; 3 optional bool?
SecretProjection
  1 localObjectReference LocalObjectReference inline; 2 items []KeyToPath; 4 optional bool?
SecretVolumeSource
  1 secretName string; 2 items []KeyToPath; 3 defaultMode int32?; 4 optional bool?
SecurityContext
  1 capabilities Capabilities?; 2 privileged bool?; 3 seLinuxOptions SELinuxOptions?; 4 runAsUser int64?
  5 runAsNonRoot bool?; 6 readOnlyRootFilesystem bool?; 7 allowPrivilegeEscalation bool?; 8 runAsGroup int64?
  9 procMount string?; 10 windowsOptions WindowsSecurityContextOptions?; 11 seccompProfile SeccompProfile?
  12 appArmorProfile AppArmorProfile?
ServiceAccountTokenProjection
  1 audience string; 2 expirationSeconds int64?; 3 path string!
ServicePort
  1 name string; 2 protocol string; 3 port int32!; 4 targetPort intstr.IntOrString; 5 nodePort int32
  6 appProtocol string?
SleepAction
  1 seconds int64!
StorageOSVolumeSource
  1 volumeName string; 2 volumeNamespace string; 3 fsType string; 4 readOnly bool; 5 secretRef LocalObjectReference?
Sysctl
  1 name string!; 2 value string!
TCPSocketAction
  1 port intstr.IntOrString!; 2 host string
Toleration
  1 key string; 2 operator string; 3 value string; 4 effect string; 5 tolerationSeconds int64?
TypedLocalObjectReference
  1 apiGroup string?!; 2 kind string!; 3 name string!
TypedObjectReference
  1 apiGroup string?!; 2 kind string!; 3 name string!; 4 namespace string?
Volume
  1 name string!; 2 volumeSource VolumeSource inline
VolumeDevice
  1 name string!; 2 devicePath string!
VolumeMount
  1 name string!; 2 readOnly bool; 3 mountPath string!; 4 subPath string; 5 mountPropagation string?
  6 subPathExpr string; 7 recursiveReadOnly string?
VolumeProjection
  1 secret SecretProjection?; 2 downwardAPI DownwardAPIProjection?; 3 configMap ConfigMapProjection?
  4 serviceAccountToken ServiceAccountTokenProjection?; 5 clusterTrustBundle ClusterTrustBundleProjection?
  6 podCertificate PodCertificateProjection?
VolumeResourceRequirements
  1 limits {}resource.Quantity; 2 requests {}resource.Quantity
VolumeSource
  1 hostPath HostPathVolumeSource?; 2 emptyDir EmptyDirVolumeSource?
  3 gcePersistentDisk GCEPersistentDiskVolumeSource?; 4 awsElasticBlockStore AWSElasticBlockStoreVolumeSource?
  5 gitRepo GitRepoVolumeSource?; 6 secret SecretVolumeSource?; 7 nfs NFSVolumeSource?; 8 iscsi ISCSIVolumeSource?
  9 glusterfs GlusterfsVolumeSource?; 10 persistentVolumeClaim PersistentVolumeClaimVolumeSource?
  11 rbd RBDVolumeSource?; 12 flexVolume FlexVolumeSource?; 13 cinder CinderVolumeSource?
  14 cephfs CephFSVolumeSource?; 15 flocker FlockerVolumeSource?; 16 downwardAPI DownwardAPIVolumeSource?
  17 fc FCVolumeSource?; 18 azureFile AzureFileVolumeSource?; 19 configMap ConfigMapVolumeSource?
  20 vsphereVolume VsphereVirtualDiskVolumeSource?; 21 quobyte QuobyteVolumeSource?
  22 azureDisk AzureDiskVolumeSource?; 23 photonPersistentDisk PhotonPersistentDiskVolumeSource?
  24 portworxVolume PortworxVolumeSource?; 25 scaleIO ScaleIOVolumeSource?; 26 projected ProjectedVolumeSource?
  27 storageos StorageOSVolumeSource?; 28 csi CSIVolumeSource?; 29 ephemeral EphemeralVolumeSource?
  30 image ImageVolumeSource?
VsphereVirtualDiskVolumeSource
  1 volumePath string!; 2 fsType string; 3 storagePolicyName string; 4 storagePolicyID string
WeightedPodAffinityTerm
  1 weight int32!; 2 podAffinityTerm PodAffinityTerm!
WindowsSecurityContextOptions
  1 gmsaCredentialSpecName string?; 2 gmsaCredentialSpec string?; 3 runAsUserName string?; 4 hostProcess bool?
`;
