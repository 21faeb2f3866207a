/** Messages of Argo Events: event sources and sensors. */
export const EVENTS = `
package events
AMQPConsumeConfig
  1 consumerTag string; 2 autoAck bool; 3 exclusive bool; 4 noLocal bool; 5 noWait bool
AMQPEventSource
  1 url string; 2 exchangeName string; 3 exchangeType string; 4 routingKey string; 5 connectionBackoff Backoff?
  6 jsonBody bool; 7 tls TLSConfig?; 8 metadata {}string; 9 exchangeDeclare AMQPExchangeDeclareConfig?
  10 queueDeclare AMQPQueueDeclareConfig?; 11 queueBind AMQPQueueBindConfig?; 12 consume AMQPConsumeConfig?
  13 auth BasicAuth?; 14 urlSecret core.SecretKeySelector?; 15 filter EventSourceFilter?
AMQPExchangeDeclareConfig
  1 durable bool; 2 autoDelete bool; 3 internal bool; 4 noWait bool
AMQPQueueBindConfig
  1 noWait bool
AMQPQueueDeclareConfig
  1 name string; 2 durable bool; 3 autoDelete bool; 4 exclusive bool; 5 noWait bool; 6 arguments string
AWSLambdaTrigger
  1 functionName string; 2 accessKey core.SecretKeySelector?; 3 secretKey core.SecretKeySelector?; 4 region string
  5 payload []TriggerParameter; 6 parameters []TriggerParameter; 7 invocationType string?; 8 roleARN string
AWSMSKIAMConfig
  1 region string
Amount => value
  1 value json
ArgoWorkflowTrigger
  1 source ArtifactLocation?; 2 operation string; 3 parameters []TriggerParameter; 4 args []string
ArtifactLocation
  1 s3 S3Artifact?; 2 inline string?; 3 file FileArtifact?; 4 url URLArtifact?
  5 configmap core.ConfigMapKeySelector?; 6 git GitArtifact?; 7 resource K8SResource?
AzureEventHubsTrigger
  1 fqdn string; 2 hubName string; 3 sharedAccessKeyName core.SecretKeySelector?
  4 sharedAccessKey core.SecretKeySelector?; 5 payload []TriggerParameter; 6 parameters []TriggerParameter
AzureEventsHubEventSource
  1 fqdn string; 2 sharedAccessKeyName core.SecretKeySelector?; 3 sharedAccessKey core.SecretKeySelector?
  4 hubName string; 5 metadata {}string; 6 filter EventSourceFilter?
AzureQueueStorageEventSource
  1 storageAccountName string; 2 connectionString core.SecretKeySelector?; 3 queueName string; 4 jsonBody bool
  5 dlq bool; 6 metadata {}string; 7 filter EventSourceFilter?; 8 decodeMessage bool; 9 waitTimeInSeconds int32?
AzureServiceBusEventSource
  1 connectionString core.SecretKeySelector?; 2 queueName string; 3 topicName string; 4 subscriptionName string
  5 tls TLSConfig?; 6 jsonBody bool; 7 metadata {}string; 8 filter EventSourceFilter?
  9 fullyQualifiedNamespace string; 10 deferDelete bool
AzureServiceBusTrigger
  1 connectionString core.SecretKeySelector?; 2 queueName string; 3 topicName string; 4 subscriptionName string
  5 tls TLSConfig?; 6 payload []TriggerParameter; 7 parameters []TriggerParameter
Backoff
  1 duration Int64OrString?; 2 factor Amount?; 3 jitter Amount?; 4 steps int32
BasicAuth
  1 username core.SecretKeySelector?; 2 password core.SecretKeySelector?
BitbucketAuth
  1 basic BitbucketBasicAuth?; 2 oauthToken core.SecretKeySelector?
BitbucketBasicAuth
  1 username core.SecretKeySelector?; 2 password core.SecretKeySelector?
BitbucketEventSource
  1 deleteHookOnFinish bool; 2 metadata {}string; 3 webhook WebhookContext?; 4 auth BitbucketAuth?
  5 events []string; 6 owner string; 7 projectKey string; 8 repositorySlug string
  9 repositories []BitbucketRepository; 10 filter EventSourceFilter?
BitbucketRepository
  1 owner string; 2 repositorySlug string
BitbucketServerEventSource
  1 webhook WebhookContext?; 2 projectKey string; 3 repositorySlug string; 4 projects []string
  5 repositories []BitbucketServerRepository; 6 events []string; 7 skipBranchRefsChangedOnOpenPR bool
  8 oneEventPerChange bool; 9 accessToken core.SecretKeySelector?; 10 webhookSecret core.SecretKeySelector?
  11 bitbucketserverBaseURL string; 12 deleteHookOnFinish bool; 13 metadata {}string; 14 filter EventSourceFilter?
  15 tls TLSConfig?; 16 checkInterval string
BitbucketServerRepository
  1 projectKey string; 2 repositorySlug string
CalendarEventSource
  1 schedule string; 2 interval string; 3 exclusionDates []string; 4 timezone string; 5 metadata {}string
  6 persistence EventPersistence?; 8 filter EventSourceFilter?
CatchupConfiguration
  1 enabled bool; 2 maxDuration string
Condition
  1 type string; 2 status string; 3 lastTransitionTime meta.Time; 4 reason string; 5 message string
ConditionsResetByTime
  1 cron string; 2 timezone string
ConditionsResetCriteria
  1 byTime ConditionsResetByTime?
ConfigMapPersistence
  1 name string; 2 createIfNotExist bool
Container
  1 resources core.ResourceRequirements; 2 imagePullPolicy string; 3 securityContext core.SecurityContext?
  4 volumeMounts []core.VolumeMount; 5 env []core.EnvVar; 6 envFrom []core.EnvFromSource
CustomTrigger
  1 serverURL string; 2 secure bool; 3 certSecret core.SecretKeySelector?; 4 serverNameOverride string
  5 spec {}string; 6 parameters []TriggerParameter; 7 payload []TriggerParameter
DataFilter
  1 path string; 2 type string; 3 value []string; 4 comparator string; 5 template string
EmailTrigger
  1 parameters []TriggerParameter; 2 username string; 3 smtpPassword core.SecretKeySelector?; 4 host string
  5 port int32; 6 to []string; 7 from string; 8 subject string; 9 body string
EmitterEventSource
  1 broker string; 2 channelKey string; 3 channelName string; 4 username core.SecretKeySelector?
  5 password core.SecretKeySelector?; 6 connectionBackoff Backoff?; 7 jsonBody bool; 8 tls TLSConfig?
  9 metadata {}string; 10 filter EventSourceFilter?
EventContext
  1 id string; 2 source string; 3 specversion string; 4 type string; 5 datacontenttype string; 6 subject string
  7 time meta.Time
EventDependency
  1 name string; 2 eventSourceName string; 3 eventName string; 4 filters EventDependencyFilter?
  5 transform EventDependencyTransformer?; 6 filtersLogicalOperator string
EventDependencyFilter
  1 time TimeFilter?; 2 context EventContext?; 3 data []DataFilter; 4 exprs []ExprFilter
  5 dataLogicalOperator string; 6 exprLogicalOperator string; 7 script string
EventDependencyTransformer
  1 jq string; 2 script string
EventPersistence
  1 catchup CatchupConfiguration?; 2 configMap ConfigMapPersistence?
EventSource
  1 metadata meta.ObjectMeta; 2 spec EventSourceSpec; 3 status EventSourceStatus
EventSourceFilter
  1 expression string
EventSourceList
  1 metadata meta.ListMeta; 2 items []EventSource
EventSourceSpec
  1 eventBusName string; 2 template Template?; 3 service Service?; 4 minio {}S3Artifact
  5 calendar {}CalendarEventSource; 6 file {}FileEventSource; 7 resource {}ResourceEventSource
  8 webhook {}WebhookEventSource; 9 amqp {}AMQPEventSource; 10 kafka {}KafkaEventSource; 11 mqtt {}MQTTEventSource
  12 nats {}NATSEventsSource; 13 sns {}SNSEventSource; 14 sqs {}SQSEventSource; 15 pubSub {}PubSubEventSource
  16 github {}GithubEventSource; 17 gitlab {}GitlabEventSource; 18 hdfs {}HDFSEventSource
  19 slack {}SlackEventSource; 20 storageGrid {}StorageGridEventSource
  21 azureEventsHub {}AzureEventsHubEventSource; 22 stripe {}StripeEventSource; 23 emitter {}EmitterEventSource
  24 redis {}RedisEventSource; 25 nsq {}NSQEventSource; 26 pulsar {}PulsarEventSource
  27 generic {}GenericEventSource; 28 replicas int32?; 29 bitbucketserver {}BitbucketServerEventSource
  30 bitbucket {}BitbucketEventSource; 31 redisStream {}RedisStreamEventSource
  32 azureServiceBus {}AzureServiceBusEventSource; 33 azureQueueStorage {}AzureQueueStorageEventSource
  34 sftp {}SFTPEventSource; 35 gerrit {}GerritEventSource; 36 mns {}MNSEventSource
EventSourceStatus
  1 status Status inline
ExprFilter
  1 expr string; 2 fields []PayloadField
FileArtifact
  1 path string
FileEventSource
  1 eventType string; 2 watchPathConfig WatchPathConfig; 3 polling bool; 4 metadata {}string
  5 filter EventSourceFilter?
GenericEventSource
  1 url string; 2 config string; 3 insecure bool; 4 jsonBody bool; 5 metadata {}string
  6 authSecret core.SecretKeySelector?; 7 filter EventSourceFilter?
GerritEventSource
  1 webhook WebhookContext?; 2 hookName string; 3 events []string; 4 auth BasicAuth?; 5 gerritBaseURL string
  6 deleteHookOnFinish bool; 7 metadata {}string; 8 projects []string; 9 sslVerify bool
  10 filter EventSourceFilter?; 11 maxTries int64
GitArtifact
  1 url string; 2 cloneDirectory string; 3 creds GitCreds?; 4 sshKeySecret core.SecretKeySelector?
  5 filePath string; 6 branch string; 7 tag string; 8 ref string; 9 remote GitRemoteConfig?
  10 insecureIgnoreHostKey bool; 11 githubApp GithubAppCreds?
GitCreds
  1 username core.SecretKeySelector?; 2 password core.SecretKeySelector?
GitRemoteConfig
  1 name string; 2 urls []string
GithubAppCreds
  1 privateKey core.SecretKeySelector?; 2 appID int64; 3 installationID int64
GithubEventSource
  1 id int64; 2 webhook WebhookContext?; 3 owner string; 4 repository string; 5 events []string
  6 apiToken core.SecretKeySelector?; 7 webhookSecret core.SecretKeySelector?; 8 insecure bool; 9 active bool
  10 contentType string; 11 githubBaseURL string; 12 githubUploadURL string; 13 deleteHookOnFinish bool
  14 metadata {}string; 15 repositories []OwnedRepositories; 16 organizations []string; 17 githubApp GithubAppCreds?
  18 filter EventSourceFilter?
GitlabEventSource
  1 webhook WebhookContext?; 2 projectID string; 3 events []string; 4 accessToken core.SecretKeySelector?
  5 enableSSLVerification bool; 6 gitlabBaseURL string; 8 deleteHookOnFinish bool; 9 metadata {}string
  10 projects []string; 11 secretToken core.SecretKeySelector?; 12 filter EventSourceFilter?; 13 groups []string
HDFSEventSource
  1 watchPathConfig WatchPathConfig inline; 2 type string; 3 checkInterval string; 4 addresses []string
  5 hdfsUser string; 6 krbCCacheSecret core.SecretKeySelector?; 7 krbKeytabSecret core.SecretKeySelector?
  8 krbUsername string; 9 krbRealm string; 10 krbConfigConfigMap core.ConfigMapKeySelector?
  11 krbServicePrincipalName string; 12 metadata {}string; 13 filter EventSourceFilter?
HTTPTrigger
  1 url string; 2 payload []TriggerParameter; 3 tls TLSConfig?; 4 method string; 5 parameters []TriggerParameter
  6 timeout int64; 7 basicAuth BasicAuth?; 8 headers {}string; 9 secureHeaders []SecureHeader
  10 dynamicHeaders []TriggerParameter; 11 host string
Int64OrString
  1 type int64; 2 int64Val int64; 3 strVal string
K8SResource => value
  1 value json
K8SResourcePolicy
  1 labels {}string; 2 backoff Backoff?; 3 errorOnBackoffTimeout bool
KafkaConsumerGroup
  1 groupName string; 2 oldest bool; 3 rebalanceStrategy string
KafkaEventSource
  1 url string; 2 partition string; 3 topic string; 4 connectionBackoff Backoff?; 5 tls TLSConfig?; 6 jsonBody bool
  7 metadata {}string; 8 consumerGroup KafkaConsumerGroup?; 9 limitEventsPerSecond int64; 10 version string
  11 sasl SASLConfig?; 12 filter EventSourceFilter?; 13 config string; 14 schemaRegistry SchemaRegistryConfig?
  15 awsMskIamAuth AWSMSKIAMConfig?
KafkaTrigger
  1 url string; 2 topic string; 3 partition int32; 4 parameters []TriggerParameter; 5 requiredAcks int32
  6 compress bool; 7 flushFrequency int32; 8 tls TLSConfig?; 9 payload []TriggerParameter
  10 partitioningKey string?; 11 version string; 12 sasl SASLConfig?; 13 schemaRegistry SchemaRegistryConfig?
  14 headers {}string; 15 secureHeaders []SecureHeader
LogTrigger
  1 intervalSeconds uint64
MNSEventSource
  1 accessKey core.SecretKeySelector?; 2 secretKey core.SecretKeySelector?; 3 queue string; 4 jsonBody bool
  5 endpoint string; 6 filter EventSourceFilter?
MQTTEventSource
  1 url string; 2 topic string; 3 clientId string; 4 connectionBackoff Backoff?; 5 jsonBody bool; 6 tls TLSConfig?
  7 metadata {}string; 8 filter EventSourceFilter?; 9 auth BasicAuth?
Metadata
  1 annotations {}string; 2 labels {}string
NATSAuth
  1 basic BasicAuth?; 2 token core.SecretKeySelector?; 3 nkey core.SecretKeySelector?
  4 credential core.SecretKeySelector?
NATSEventsSource
  1 url string; 2 subject string; 3 connectionBackoff Backoff?; 4 jsonBody bool; 5 tls TLSConfig?
  6 metadata {}string; 7 auth NATSAuth?; 8 filter EventSourceFilter?; 9 queue string?
NATSTrigger
  1 url string; 2 subject string; 3 payload []TriggerParameter; 4 parameters []TriggerParameter; 5 tls TLSConfig?
  6 auth NATSAuth?
NSQEventSource
  1 hostAddress string; 2 topic string; 3 channel string; 4 connectionBackoff Backoff?; 5 jsonBody bool
  6 tls TLSConfig?; 7 metadata {}string; 8 filter EventSourceFilter?
OpenWhiskTrigger
  1 host string; 2 version string; 3 namespace string; 4 authToken core.SecretKeySelector?; 5 actionName string
  6 payload []TriggerParameter; 7 parameters []TriggerParameter
OwnedRepositories
  1 owner string; 2 names []string
PayloadField
  1 path string; 2 name string
PubSubEventSource
  1 projectID string; 2 topicProjectID string; 3 topic string; 4 subscriptionID string
  5 credentialSecret core.SecretKeySelector?; 6 deleteSubscriptionOnFinish bool; 7 jsonBody bool
  8 metadata {}string; 9 filter EventSourceFilter?
PulsarEventSource
  1 topics []string; 2 type string; 3 url string; 4 tlsTrustCertsSecret core.SecretKeySelector?
  5 tlsAllowInsecureConnection bool; 6 tlsValidateHostname bool; 7 tls TLSConfig?; 8 connectionBackoff Backoff?
  9 jsonBody bool; 10 metadata {}string; 11 authTokenSecret core.SecretKeySelector?; 12 filter EventSourceFilter?
  13 authAthenzParams {}string; 14 authAthenzSecret core.SecretKeySelector?
PulsarTrigger
  1 url string; 2 topic string; 3 parameters []TriggerParameter; 4 payload []TriggerParameter
  5 tlsTrustCertsSecret core.SecretKeySelector?; 6 tlsAllowInsecureConnection bool; 7 tlsValidateHostname bool
  8 tls TLSConfig?; 9 authTokenSecret core.SecretKeySelector?; 10 connectionBackoff Backoff?
  11 authAthenzParams {}string; 12 authAthenzSecret core.SecretKeySelector?
RateLimit
  1 unit string; 2 requestsPerUnit int32
RedisEventSource
  1 hostAddress string; 2 password core.SecretKeySelector?; 3 namespace string; 4 db int32; 5 channels []string
  6 tls TLSConfig?; 7 metadata {}string; 8 filter EventSourceFilter?; 9 jsonBody bool; 10 username string
RedisStreamEventSource
  1 hostAddress string; 2 password core.SecretKeySelector?; 3 db int32; 4 streams []string
  5 maxMsgCountPerRead int32; 6 consumerGroup string; 7 tls TLSConfig?; 8 metadata {}string
  9 filter EventSourceFilter?; 10 username string
ResourceEventSource
  1 namespace string; 2 filter ResourceFilter?; 3 groupVersionResource meta.GroupVersionResource inline
  4 eventTypes []string; 5 metadata {}string
ResourceFilter
  1 prefix string; 2 labels []Selector; 3 fields []Selector; 4 createdBy meta.Time; 5 afterStart bool
S3Artifact
  1 endpoint string; 2 bucket S3Bucket?; 3 region string; 4 insecure bool; 5 accessKey core.SecretKeySelector?
  6 secretKey core.SecretKeySelector?; 7 events []string; 8 filter S3Filter?; 9 metadata {}string
  10 caCertificate core.SecretKeySelector?
S3Bucket
  1 key string; 2 name string
S3Filter
  1 prefix string; 2 suffix string
SASLConfig
  1 mechanism string; 2 userSecret core.SecretKeySelector?; 3 passwordSecret core.SecretKeySelector?
SFTPEventSource
  1 eventType string; 2 watchPathConfig WatchPathConfig; 3 username core.SecretKeySelector?
  4 password core.SecretKeySelector?; 5 sshKeySecret core.SecretKeySelector?; 6 address core.SecretKeySelector?
  7 metadata {}string; 8 filter EventSourceFilter?; 9 pollIntervalDuration string
SNSEventSource
  1 webhook WebhookContext?; 2 topicArn string; 3 accessKey core.SecretKeySelector?
  4 secretKey core.SecretKeySelector?; 5 region string; 6 roleARN string; 7 metadata {}string
  8 validateSignature bool; 9 filter EventSourceFilter?; 10 endpoint string
SQSEventSource
  1 accessKey core.SecretKeySelector?; 2 secretKey core.SecretKeySelector?; 3 region string; 4 queue string
  5 waitTimeSeconds int64; 6 roleARN string; 7 jsonBody bool; 8 queueAccountId string; 9 metadata {}string
  10 dlq bool; 11 filter EventSourceFilter?; 12 endpoint string; 13 sessionToken core.SecretKeySelector?
SchemaRegistryConfig
  1 url string; 2 schemaId int32; 3 auth BasicAuth
SecureHeader
  1 name string; 2 valueFrom ValueFromSource?
Selector
  1 key string; 2 operation string; 3 value string
Sensor
  1 metadata meta.ObjectMeta; 2 spec SensorSpec; 3 status SensorStatus
SensorList
  1 metadata meta.ListMeta; 2 items []Sensor
SensorSpec
  1 dependencies []EventDependency; 2 triggers []Trigger; 3 template Template?; 4 errorOnFailedRound bool
  5 eventBusName string; 6 replicas int32?; 7 revisionHistoryLimit int32?; 8 loggingFields {}string
SensorStatus
  1 status Status inline
Service
  1 metadata Metadata?; 2 ports []core.ServicePort; 3 clusterIP string
SlackEventSource
  1 signingSecret core.SecretKeySelector?; 2 token core.SecretKeySelector?; 3 webhook WebhookContext?
  4 metadata {}string; 5 filter EventSourceFilter?
SlackSender
  1 username string; 2 icon string
SlackThread
  1 messageAggregationKey string; 2 broadcastMessageToChannel bool
SlackTrigger
  1 parameters []TriggerParameter; 2 slackToken core.SecretKeySelector?; 3 channel string; 4 message string
  5 attachments string; 6 blocks string; 7 thread SlackThread; 8 sender SlackSender
StandardK8STrigger
  1 source ArtifactLocation?; 2 operation string; 3 parameters []TriggerParameter; 4 patchStrategy string
  5 liveObject bool
Status
  1 conditions []Condition
StatusPolicy
  1 allow []int32
StorageGridEventSource
  1 webhook WebhookContext?; 2 events []string; 3 filter StorageGridFilter?; 4 topicArn string; 5 bucket string
  6 region string; 7 authToken core.SecretKeySelector?; 8 apiURL string; 9 metadata {}string; 10 tls TLSConfig?
StorageGridFilter
  1 prefix string; 2 suffix string
StripeEventSource
  1 webhook WebhookContext?; 2 createWebhook bool; 3 apiKey core.SecretKeySelector?; 4 eventFilter []string
  5 metadata {}string
TLSConfig
  1 caCertSecret core.SecretKeySelector?; 2 clientCertSecret core.SecretKeySelector?
  3 clientKeySecret core.SecretKeySelector?; 4 insecureSkipVerify bool; 5 enabled bool
Template
  1 metadata Metadata?; 2 serviceAccountName string; 3 container Container?; 4 volumes []core.Volume
  5 securityContext core.PodSecurityContext?; 6 nodeSelector {}string; 7 tolerations []core.Toleration
  8 imagePullSecrets []core.LocalObjectReference; 9 priorityClassName string; 10 priority int32?
  11 affinity core.Affinity?
TimeFilter
  1 start string; 2 stop string; 3 timezone string
Trigger
  1 template TriggerTemplate?; 2 parameters []TriggerParameter; 3 policy TriggerPolicy?; 4 retryStrategy Backoff?
  5 rateLimit RateLimit?; 6 atLeastOnce bool; 7 dlqTrigger Trigger?
TriggerParameter
  1 src TriggerParameterSource?; 2 dest string; 3 operation string
TriggerParameterSource
  1 dependencyName string; 2 contextKey string; 3 contextTemplate string; 4 dataKey string; 5 dataTemplate string
  6 value string?; 7 useRawData bool
TriggerPolicy
  1 k8s K8SResourcePolicy?; 2 status StatusPolicy?
TriggerTemplate
  1 name string; 2 conditions string; 3 k8s StandardK8STrigger?; 4 argoWorkflow ArgoWorkflowTrigger?
  5 http HTTPTrigger?; 6 awsLambda AWSLambdaTrigger?; 7 custom CustomTrigger?; 8 kafka KafkaTrigger?
  9 nats NATSTrigger?; 10 slack SlackTrigger?; 11 openWhisk OpenWhiskTrigger?; 12 log LogTrigger?
  13 azureEventHubs AzureEventHubsTrigger?; 14 pulsar PulsarTrigger?; 15 conditionsReset []ConditionsResetCriteria
  16 azureServiceBus AzureServiceBusTrigger?; 17 email EmailTrigger?
URLArtifact
  1 path string; 2 verifyCert bool
ValueFromSource
  1 secretKeyRef core.SecretKeySelector?; 2 configMapKeyRef core.ConfigMapKeySelector?
WatchPathConfig
  1 directory string; 2 path string; 3 pathRegexp string
WebhookContext
  1 endpoint string; 2 method string; 3 port string; 4 url string; 5 serverCertSecret core.SecretKeySelector?
  6 serverKeySecret core.SecretKeySelector?; 7 metadata {}string; 8 authSecret core.SecretKeySelector?
  9 maxPayloadSize int64?
WebhookEventSource
  1 webhookContext WebhookContext inline; 2 filter EventSourceFilter?
`;
