/** The services of the server with their methods, requests and responses. */
export const SERVICES = `
workflow.WorkflowService
  CreateWorkflow workflow.WorkflowCreateRequest -> argo.Workflow
  GetWorkflow workflow.WorkflowGetRequest -> argo.Workflow
  ListWorkflows workflow.WorkflowListRequest -> argo.WorkflowList
  WatchWorkflows workflow.WatchWorkflowsRequest -> stream workflow.WorkflowWatchEvent
  WatchEvents workflow.WatchEventsRequest -> stream core.Event
  DeleteWorkflow workflow.WorkflowDeleteRequest -> workflow.WorkflowDeleteResponse
  RetryWorkflow workflow.WorkflowRetryRequest -> argo.Workflow
  ResubmitWorkflow workflow.WorkflowResubmitRequest -> argo.Workflow
  ResumeWorkflow workflow.WorkflowResumeRequest -> argo.Workflow
  SuspendWorkflow workflow.WorkflowSuspendRequest -> argo.Workflow
  TerminateWorkflow workflow.WorkflowTerminateRequest -> argo.Workflow
  StopWorkflow workflow.WorkflowStopRequest -> argo.Workflow
  SetWorkflow workflow.WorkflowSetRequest -> argo.Workflow
  LintWorkflow workflow.WorkflowLintRequest -> argo.Workflow
  PodLogs workflow.WorkflowLogRequest -> stream workflow.LogEntry
  WorkflowLogs workflow.WorkflowLogRequest -> stream workflow.LogEntry
  SubmitWorkflow workflow.WorkflowSubmitRequest -> argo.Workflow
workflowtemplate.WorkflowTemplateService
  CreateWorkflowTemplate workflowtemplate.WorkflowTemplateCreateRequest -> argo.WorkflowTemplate
  GetWorkflowTemplate workflowtemplate.WorkflowTemplateGetRequest -> argo.WorkflowTemplate
  ListWorkflowTemplates workflowtemplate.WorkflowTemplateListRequest -> argo.WorkflowTemplateList
  UpdateWorkflowTemplate workflowtemplate.WorkflowTemplateUpdateRequest -> argo.WorkflowTemplate
  DeleteWorkflowTemplate workflowtemplate.WorkflowTemplateDeleteRequest -> workflowtemplate.WorkflowTemplateDeleteResponse
  LintWorkflowTemplate workflowtemplate.WorkflowTemplateLintRequest -> argo.WorkflowTemplate
clusterworkflowtemplate.ClusterWorkflowTemplateService
  CreateClusterWorkflowTemplate clusterworkflowtemplate.ClusterWorkflowTemplateCreateRequest -> argo.ClusterWorkflowTemplate
  GetClusterWorkflowTemplate clusterworkflowtemplate.ClusterWorkflowTemplateGetRequest -> argo.ClusterWorkflowTemplate
  ListClusterWorkflowTemplates clusterworkflowtemplate.ClusterWorkflowTemplateListRequest -> argo.ClusterWorkflowTemplateList
  UpdateClusterWorkflowTemplate clusterworkflowtemplate.ClusterWorkflowTemplateUpdateRequest -> argo.ClusterWorkflowTemplate
  DeleteClusterWorkflowTemplate clusterworkflowtemplate.ClusterWorkflowTemplateDeleteRequest -> clusterworkflowtemplate.ClusterWorkflowTemplateDeleteResponse
  LintClusterWorkflowTemplate clusterworkflowtemplate.ClusterWorkflowTemplateLintRequest -> argo.ClusterWorkflowTemplate
cronworkflow.CronWorkflowService
  LintCronWorkflow cronworkflow.LintCronWorkflowRequest -> argo.CronWorkflow
  CreateCronWorkflow cronworkflow.CreateCronWorkflowRequest -> argo.CronWorkflow
  ListCronWorkflows cronworkflow.ListCronWorkflowsRequest -> argo.CronWorkflowList
  GetCronWorkflow cronworkflow.GetCronWorkflowRequest -> argo.CronWorkflow
  UpdateCronWorkflow cronworkflow.UpdateCronWorkflowRequest -> argo.CronWorkflow
  DeleteCronWorkflow cronworkflow.DeleteCronWorkflowRequest -> cronworkflow.CronWorkflowDeletedResponse
  ResumeCronWorkflow cronworkflow.CronWorkflowResumeRequest -> argo.CronWorkflow
  SuspendCronWorkflow cronworkflow.CronWorkflowSuspendRequest -> argo.CronWorkflow
workflowarchive.ArchivedWorkflowService
  ListArchivedWorkflows workflowarchive.ListArchivedWorkflowsRequest -> argo.WorkflowList
  GetArchivedWorkflow workflowarchive.GetArchivedWorkflowRequest -> argo.Workflow
  DeleteArchivedWorkflow workflowarchive.DeleteArchivedWorkflowRequest -> workflowarchive.ArchivedWorkflowDeletedResponse
  ListArchivedWorkflowLabelKeys workflowarchive.ListArchivedWorkflowLabelKeysRequest -> argo.LabelKeys
  ListArchivedWorkflowLabelValues workflowarchive.ListArchivedWorkflowLabelValuesRequest -> argo.LabelValues
  RetryArchivedWorkflow workflowarchive.RetryArchivedWorkflowRequest -> argo.Workflow
  ResubmitArchivedWorkflow workflowarchive.ResubmitArchivedWorkflowRequest -> argo.Workflow
info.InfoService
  GetInfo info.GetInfoRequest -> info.InfoResponse
  GetVersion info.GetVersionRequest -> argo.Version
  GetUserInfo info.GetUserInfoRequest -> info.GetUserInfoResponse
  CollectEvent info.CollectEventRequest -> info.CollectEventResponse
event.EventService
  ReceiveEvent event.EventRequest -> event.EventResponse
  ListWorkflowEventBindings event.ListWorkflowEventBindingsRequest -> argo.WorkflowEventBindingList
sync.SyncService
  CreateSyncLimit sync.CreateSyncLimitRequest -> sync.SyncLimitResponse
  GetSyncLimit sync.GetSyncLimitRequest -> sync.SyncLimitResponse
  UpdateSyncLimit sync.UpdateSyncLimitRequest -> sync.SyncLimitResponse
  DeleteSyncLimit sync.DeleteSyncLimitRequest -> sync.DeleteSyncLimitResponse
eventsource.EventSourceService
  CreateEventSource eventsource.CreateEventSourceRequest -> events.EventSource
  GetEventSource eventsource.GetEventSourceRequest -> events.EventSource
  DeleteEventSource eventsource.DeleteEventSourceRequest -> eventsource.EventSourceDeletedResponse
  UpdateEventSource eventsource.UpdateEventSourceRequest -> events.EventSource
  ListEventSources eventsource.ListEventSourcesRequest -> events.EventSourceList
  EventSourcesLogs eventsource.EventSourcesLogsRequest -> stream eventsource.LogEntry
  WatchEventSources eventsource.ListEventSourcesRequest -> stream eventsource.EventSourceWatchEvent
sensor.SensorService
  ListSensors sensor.ListSensorsRequest -> events.SensorList
  SensorsLogs sensor.SensorsLogsRequest -> stream sensor.LogEntry
  WatchSensors sensor.ListSensorsRequest -> stream sensor.SensorWatchEvent
  CreateSensor sensor.CreateSensorRequest -> events.Sensor
  UpdateSensor sensor.UpdateSensorRequest -> events.Sensor
  DeleteSensor sensor.DeleteSensorRequest -> sensor.DeleteSensorResponse
  GetSensor sensor.GetSensorRequest -> events.Sensor
`;
