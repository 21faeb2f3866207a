/** Requests of the services, and responses other than objects of a kind. */
export const REQUESTS = `
package workflow
LogEntry
  1 content string; 2 podName string
WatchEventsRequest
  1 namespace string; 2 listOptions meta.ListOptions
WatchWorkflowsRequest
  1 namespace string; 2 listOptions meta.ListOptions; 3 fields string
WorkflowCreateRequest
  1 namespace string; 2 workflow argo.Workflow; 3 instanceID string; 4 serverDryRun bool
  5 createOptions meta.CreateOptions
WorkflowDeleteRequest
  1 name string; 2 namespace string; 3 deleteOptions meta.DeleteOptions; 4 force bool
WorkflowDeleteResponse
WorkflowGetRequest
  1 name string; 2 namespace string; 3 getOptions meta.GetOptions; 4 fields string; 5 uid string
WorkflowLintRequest
  1 namespace string; 2 workflow argo.Workflow
WorkflowListRequest
  1 namespace string; 2 listOptions meta.ListOptions; 3 fields string; 4 nameFilter string; 5 createdAfter string
  6 finishedBefore string
WorkflowLogRequest
  1 name string; 2 namespace string; 3 podName string; 4 logOptions core.PodLogOptions; 5 grep string
  6 selector string
WorkflowResubmitRequest
  1 name string; 2 namespace string; 3 memoized bool; 5 parameters []string
WorkflowResumeRequest
  1 name string; 2 namespace string; 3 nodeFieldSelector string
WorkflowRetryRequest
  1 name string; 2 namespace string; 3 restartSuccessful bool; 4 nodeFieldSelector string; 5 parameters []string
WorkflowSetRequest
  1 name string; 2 namespace string; 3 nodeFieldSelector string; 4 message string; 5 phase string
  6 outputParameters string
WorkflowStopRequest
  1 name string; 2 namespace string; 3 nodeFieldSelector string; 4 message string
WorkflowSubmitRequest
  1 namespace string; 2 resourceKind string; 3 resourceName string; 4 submitOptions argo.SubmitOpts
WorkflowSuspendRequest
  1 name string; 2 namespace string
WorkflowTerminateRequest
  1 name string; 2 namespace string
WorkflowWatchEvent
  1 type string; 2 object argo.Workflow
package workflowtemplate
WorkflowTemplateCreateRequest
  1 namespace string; 2 template argo.WorkflowTemplate; 3 createOptions meta.CreateOptions
WorkflowTemplateDeleteRequest
  1 name string; 2 namespace string; 3 deleteOptions meta.DeleteOptions
WorkflowTemplateDeleteResponse
WorkflowTemplateGetRequest
  1 name string; 2 namespace string; 3 getOptions meta.GetOptions
WorkflowTemplateLintRequest
  1 namespace string; 2 template argo.WorkflowTemplate; 3 createOptions meta.CreateOptions
WorkflowTemplateListRequest
  1 namespace string; 2 namePattern string; 3 listOptions meta.ListOptions
WorkflowTemplateUpdateRequest
  1 name string; 2 namespace string; 3 template argo.WorkflowTemplate
package clusterworkflowtemplate
ClusterWorkflowTemplateCreateRequest
  1 template argo.ClusterWorkflowTemplate; 2 createOptions meta.CreateOptions
ClusterWorkflowTemplateDeleteRequest
  1 name string; 2 deleteOptions meta.DeleteOptions
ClusterWorkflowTemplateDeleteResponse
ClusterWorkflowTemplateGetRequest
  1 name string; 2 getOptions meta.GetOptions
ClusterWorkflowTemplateLintRequest
  1 template argo.ClusterWorkflowTemplate; 2 createOptions meta.CreateOptions
ClusterWorkflowTemplateListRequest
  1 listOptions meta.ListOptions
ClusterWorkflowTemplateUpdateRequest
  1 name string; 2 template argo.ClusterWorkflowTemplate
package cronworkflow
CreateCronWorkflowRequest
  1 namespace string; 2 cronWorkflow argo.CronWorkflow; 3 createOptions meta.CreateOptions
CronWorkflowDeletedResponse
CronWorkflowResumeRequest
  1 name string; 2 namespace string
CronWorkflowSuspendRequest
  1 name string; 2 namespace string
DeleteCronWorkflowRequest
  1 name string; 2 namespace string; 3 deleteOptions meta.DeleteOptions
GetCronWorkflowRequest
  1 name string; 2 namespace string; 3 getOptions meta.GetOptions
LintCronWorkflowRequest
  1 namespace string; 2 cronWorkflow argo.CronWorkflow
ListCronWorkflowsRequest
  1 namespace string; 2 listOptions meta.ListOptions
UpdateCronWorkflowRequest
  1 name string; 2 namespace string; 3 cronWorkflow argo.CronWorkflow
package workflowarchive
ArchivedWorkflowDeletedResponse
DeleteArchivedWorkflowRequest
  1 uid string; 2 namespace string; 3 name string
GetArchivedWorkflowRequest
  1 uid string; 2 namespace string; 3 name string
ListArchivedWorkflowLabelKeysRequest
  1 namespace string
ListArchivedWorkflowLabelValuesRequest
  1 listOptions meta.ListOptions; 2 namespace string
ListArchivedWorkflowsRequest
  1 listOptions meta.ListOptions; 2 namePrefix string; 3 namespace string; 4 nameFilter string
ResubmitArchivedWorkflowRequest
  1 uid string; 2 name string; 3 namespace string; 4 memoized bool; 5 parameters []string
RetryArchivedWorkflowRequest
  1 uid string; 2 name string; 3 namespace string; 4 restartSuccessful bool; 5 nodeFieldSelector string
  6 parameters []string
package info
CollectEventRequest
  1 name string
CollectEventResponse
GetInfoRequest
GetUserInfoRequest
GetUserInfoResponse
  1 issuer string; 2 subject string; 3 groups []string; 4 email string; 5 emailVerified bool
  6 serviceAccountName string; 7 serviceAccountNamespace string; 8 name string
GetVersionRequest
InfoResponse
  1 managedNamespace string; 2 links []argo.Link; 3 modals {}bool; 4 navColor string; 5 columns []argo.Column
package event
EventRequest
  1 namespace string; 2 discriminator string; 3 payload argo.Item
EventResponse
ListWorkflowEventBindingsRequest
  1 namespace string; 2 listOptions meta.ListOptions
package sync
CreateSyncLimitRequest
  1 type enum:CONFIGMAP|DATABASE; 2 namespace string; 3 cmName string; 4 key string; 5 limit int32
DeleteSyncLimitRequest
  1 type enum:CONFIGMAP|DATABASE; 2 namespace string; 3 cmName string; 4 key string
DeleteSyncLimitResponse
GetSyncLimitRequest
  1 type enum:CONFIGMAP|DATABASE; 2 namespace string; 3 cmName string; 4 key string
SyncLimitResponse
  1 type enum:CONFIGMAP|DATABASE; 2 namespace string; 3 cmName string; 4 key string; 5 limit int32
UpdateSyncLimitRequest
  1 type enum:CONFIGMAP|DATABASE; 2 namespace string; 3 cmName string; 4 key string; 5 limit int32
package eventsource
CreateEventSourceRequest
  1 namespace string; 2 eventSource events.EventSource
DeleteEventSourceRequest
  1 name string; 2 namespace string; 3 deleteOptions meta.DeleteOptions
EventSourceDeletedResponse
EventSourceWatchEvent
  1 type string; 2 object events.EventSource
EventSourcesLogsRequest
  1 namespace string; 2 name string; 3 eventSourceType string; 4 eventName string; 5 grep string
  6 podLogOptions core.PodLogOptions
GetEventSourceRequest
  1 name string; 2 namespace string
ListEventSourcesRequest
  1 namespace string; 2 listOptions meta.ListOptions
LogEntry
  1 namespace string; 2 eventSourceName string; 3 eventSourceType string; 4 eventName string; 5 level string
  6 time meta.Time; 7 msg string
UpdateEventSourceRequest
  1 name string; 2 namespace string; 3 eventSource events.EventSource
package sensor
CreateSensorRequest
  1 namespace string; 2 sensor events.Sensor; 3 createOptions meta.CreateOptions
DeleteSensorRequest
  1 name string; 2 namespace string; 3 deleteOptions meta.DeleteOptions
DeleteSensorResponse
GetSensorRequest
  1 name string; 2 namespace string; 3 getOptions meta.GetOptions
ListSensorsRequest
  1 namespace string; 2 listOptions meta.ListOptions
LogEntry
  1 namespace string; 2 sensorName string; 3 triggerName string; 5 level string; 6 time meta.Time; 7 msg string
  8 dependencyName string; 9 eventContext string
SensorWatchEvent
  1 type string; 2 object events.Sensor
SensorsLogsRequest
  1 namespace string; 2 name string; 3 triggerName string; 4 grep string; 5 podLogOptions core.PodLogOptions
UpdateSensorRequest
  1 namespace string; 2 name string; 3 sensor events.Sensor
`;
