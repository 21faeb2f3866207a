/** Messages that all Kubernetes kinds share: metadata, options, quantities, times. */
export const META = `
package meta
CreateOptions
  1 dryRun []string; 3 fieldManager string; 4 fieldValidation string
DeleteOptions
  1 gracePeriodSeconds int64?; 2 preconditions Preconditions?; 3 orphanDependents bool?; 4 propagationPolicy string?
  5 dryRun []string; 6 ignoreStoreReadErrorWithClusterBreakingPotential bool?
FieldsV1 => Raw
  1 Raw json
GetOptions
  1 resourceVersion string
GroupVersionResource
  1 group string; 2 version string; 3 resource string
LabelSelector
  1 matchLabels {}string; 2 matchExpressions []LabelSelectorRequirement
LabelSelectorRequirement
  1 key string; 2 operator string; 3 values []string
ListMeta
  1 selfLink string; 2 resourceVersion string; 3 continue string; 4 remainingItemCount int64?
ListOptions
  1 labelSelector string; 2 fieldSelector string; 3 watch bool; 4 resourceVersion string; 5 timeoutSeconds int64?
  7 limit int64; 8 continue string; 9 allowWatchBookmarks bool; 10 resourceVersionMatch string
  11 sendInitialEvents bool?
ManagedFieldsEntry
  1 manager string; 2 operation string; 3 apiVersion string; 4 time Time?; 6 fieldsType string; 7 fieldsV1 FieldsV1?
  8 subresource string
MicroTime
  1 seconds int64; 2 nanos int32
ObjectMeta
  1 name string; 2 generateName string; 3 namespace string; 4 selfLink string; 5 uid string
  6 resourceVersion string; 7 generation int64; 8 creationTimestamp Time; 9 deletionTimestamp Time?
  10 deletionGracePeriodSeconds int64?; 11 labels {}string; 12 annotations {}string
  13 ownerReferences []OwnerReference; 14 finalizers []string; 17 managedFields []ManagedFieldsEntry
OwnerReference
  1 kind string; 3 name string; 4 uid string; 5 apiVersion string; 6 controller bool?; 7 blockOwnerDeletion bool?
Preconditions
  1 uid string?; 2 resourceVersion string?
Time
  1 seconds int64; 2 nanos int32
package intstr
IntOrString
  1 type int64; 2 intVal int32; 3 strVal string
package resource
Quantity => string
  1 string string
package policy
PodDisruptionBudgetSpec
  1 minAvailable intstr.IntOrString?; 2 selector meta.LabelSelector?; 3 maxUnavailable intstr.IntOrString?
  4 unhealthyPodEvictionPolicy string?
`;
