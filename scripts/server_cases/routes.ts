/** Cases of the server's routes (SV): one sentence per case, and the tests that check it. */
import type { CoveredCase } from "../case_coverage.ts";
import {
  ARCHIVE,
  ARGO,
  ARTIFACTS,
  COMMANDS,
  COMPARE_SERVERS,
  CONTRACT,
  EVENTS,
  FOLLOW,
  GATE,
  GRPC,
  HEADERS,
  INFO,
  LISTEN,
  MASK,
  QUERY,
  REQUESTS,
  STORED,
  STREAMS,
  SUSPENDED,
  SYNC,
  TEMPLATES,
  UPLOADS,
  WORKFLOWS,
} from "./places.ts";

/** All cases of routes, by id. */
export const ROUTE_CASES: Readonly<Record<string, CoveredCase>> = {
  "SV-01": {
    behavior: "An unknown route is not implemented, with Argo's message.",
    tests: [[WORKFLOWS, "routes: a request without a route returns Argo's error Not Implemented"]],
  },
  "SV-02": {
    behavior: "A body that is not JSON, or does not contain an object, is refused with code 3.",
    tests: [[WORKFLOWS, "bodies: a body that is not JSON, or not an object, is rejected with code 3"]],
  },
  "SV-03": {
    behavior: "Invalid numbers are refused; unknown parameters are ignored.",
    tests: [[WORKFLOWS, "lists: an empty list is null, each page continues the previous one"], [
      QUERY,
      "readQuery: accepts numbers in Go's format",
    ], [
      QUERY,
      "readQuery: accepts both spellings, ignores unknown names",
    ]],
  },
  "SV-04": {
    behavior: "`continue` is a position, or the number of items to skip.",
    tests: [[WORKFLOWS, "lists: an empty list is null, each page continues the previous one"], [
      ARCHIVE,
      "archive list: a numeric continue skips that many workflows of both sources",
    ]],
  },
  "SV-05": {
    behavior: "Invalid selectors, and those of unknown fields, are refused.",
    tests: [[WORKFLOWS, "lists: labels, names and times select workflows"]],
  },
  "SV-06": {
    behavior: "An empty list has null as its items.",
    tests: [[WORKFLOWS, "lists: an empty list is null, each page continues the previous one"]],
  },
  "SV-07": {
    behavior: "Pages of live workflows are complete.",
    tests: [[WORKFLOWS, "lists: an empty list is null, each page continues the previous one"]],
  },
  "SV-08": {
    behavior: "Archived workflows are listed once, also without a limit.",
    tests: [[
      ARCHIVE,
      "archive list: live and archived workflows are merged in order, without duplicates, for any page size",
    ], [ARGO, "each archived workflow once"]],
  },
  "SV-09": {
    behavior: "A workflow that moves to the archive between two pages is on exactly one of them.",
    tests: [[ARCHIVE, "archive list: a workflow that is archived between two pages is listed"]],
  },
  "SV-10": {
    behavior: "A late page of an archive needs no count, and reads only its own rows.",
    tests: [
      ["server/workflows/merged_page_test.ts", "pages: a late page reads only its own rows"],
      ["server/workflows/skip_workflows_test.ts", "skipWorkflows: needs a logarithmic number of queries"],
    ],
    lacks: "its time, which `deno task bench server` measures and no test holds",
  },
  "SV-11": {
    behavior: "The remaining count is exact over both stores.",
    tests: [[ARCHIVE, "archive list: the remaining count is exact for both sources, and only sent on request"]],
  },
  "SV-12": {
    behavior: "Names are compared without wildcards.",
    tests: [[ARCHIVE, "archive list: name filters have no wildcards, for live and archived workflows"]],
  },
  "SV-13": {
    behavior: "Times are compared as instants, in any time zone.",
    tests: [[WORKFLOWS, "lists: labels, names and times select workflows"]],
  },
  "SV-14": {
    behavior: "Each label operator has the same meaning for live and archived workflows, in each database.",
    tests: [[ARCHIVE, "archive list: label operators match live and archived workflows alike"], [
      STORED,
      "list: filters by every kind of label requirement, also for labels",
    ]],
  },
  "SV-15": {
    behavior: "A selector is never executed as SQL.",
    tests: [[REQUESTS, "selectors: an invalid selector is refused before any store is queried"]],
  },
  "SV-16": {
    behavior: "`fields` limits the response; the next page is available nevertheless.",
    tests: [[WORKFLOWS, "fields: a mask keeps exactly the fields that it names, and omits nodes"], [
      REQUESTS,
      "lists: a page with a field mask keeps `continue`",
    ]],
  },
  "SV-17": {
    behavior: "Nodes are loaded only if they are requested.",
    tests: [[MASK, "fieldMask: includes reports whether a path is selected, without a value"]],
  },
  "SV-18": {
    behavior: "An archived workflow in the cluster is listed once.",
    tests: [[
      ARCHIVE,
      "archive list: a workflow in both sources is listed once, as Persisted, or live if it runs again",
    ]],
  },
  "SV-19": {
    behavior: "A deleted workflow is read from the archive: by UID, or the newest with the name.",
    tests: [[ARCHIVE, "is read from the archive"]],
  },
  "SV-20": {
    behavior: "@latest is the newest workflow, also of those created in the same second.",
    tests: [[WORKFLOWS, "@latest: is the newest workflow, and is not found if there are no"]],
  },
  "SV-21": {
    behavior: "Compressed and offloaded nodes are restored.",
    tests: [
      ["server/workflows/offloaded_test.ts", "offloaded nodes: get and watch return the workflow with its nodes"],
      [
        "lib/model/nodes/compress_test.ts",
        "hydrate: restores",
      ],
    ],
  },
  "SV-22": {
    behavior: "The creator is the caller, whatever the object contains.",
    tests: [[WORKFLOWS, "create: the labels of the creator are those of the caller"]],
  },
  "SV-23": {
    behavior: "Dry runs store nothing.",
    tests: [[WORKFLOWS, "create: the labels of the creator are those of the caller"]],
  },
  "SV-24": {
    behavior: "An object of another namespace is refused.",
    tests: [[WORKFLOWS, "create: a workflow that is invalid, or has another namespace"]],
  },
  "SV-25": {
    behavior: "A create that timed out reports that its workflow may exist.",
    tests: [[REQUESTS, "create: the error of a timeout mentions that the workflow may already"]],
  },
  "SV-26": {
    behavior: "Workflows can be submitted from every kind, under each of its names.",
    tests: [[WORKFLOWS, "submit: accepts each kind by each of its names"], [
      REQUESTS,
      "submit: accepts each name of ClusterWorkflowTemplate and each",
    ]],
  },
  "SV-27": {
    behavior: "A workflow submitted from a CronWorkflow has its time, label, finalizers and owner.",
    tests: [[
      "lib/engine/workflow_actions/submit_options_test.ts",
      "workflowStartedFromCron: sets the scheduled time, instance and finalizers",
    ]],
  },
  "SV-28": {
    behavior: "The first = separates name and value of a parameter; one without it is refused.",
    tests: [[WORKFLOWS, "submit: accepts each kind by each of its names"], [
      REQUESTS,
      "submit: accepts each name of ClusterWorkflowTemplate and each",
    ]],
  },
  "SV-29": {
    behavior: "entryPoint is accepted in any spelling, as Go parses it.",
    tests: [[REQUESTS, "submit: accepts each name of ClusterWorkflowTemplate and each"], [
      COMPARE_SERVERS,
      "an option may be spelled in any case",
    ]],
  },
  "SV-30": {
    behavior: "A submission may not use the key of another user's upload.",
    tests: [[
      UPLOADS,
      "upload: a submission fails with another user's key, an unknown key, or an unknown artifact name",
    ]],
  },
  "SV-31": {
    behavior: "Lint does not disclose to users without permission whether a template exists.",
    tests: [
      [GATE, "does not disclose whether an object exists"],
      ["server/workflows/checked_test.ts", "lint: an unreadable template gets the same response whether or not it"],
    ],
  },
  "SV-32": {
    behavior: "Bodies without their object do not make routes of templates fail with an internal error.",
    tests: [[TEMPLATES, "template routes: a body without the object is a client error for"]],
  },
  "SV-33": {
    behavior: "An update applies to the object in the path, in the version that was read.",
    tests: [[TEMPLATES, "template routes: an update applies to the object of the path"]],
  },
  "SV-34": {
    behavior: "A finished workflow can be neither suspended nor stopped; terminate is possible after stop.",
    tests: [[WORKFLOWS, "suspend, resume, stop and terminate"]],
  },
  "SV-35": {
    behavior: "A stop of nodes fails them, and is refused when no node matches.",
    tests: [[CONTRACT, "set, stop: give the selected nodes a message and outputs"], [
      COMMANDS,
      "node set, stop, resume: set outputs of a node",
    ]],
  },
  "SV-36": {
    behavior: "Each resumed node records the user; outputs without a value change nothing.",
    tests: [[SUSPENDED, "resumeWorkflow: appends the user to the message of each resumed node"], [
      SUSPENDED,
      "resumeWorkflow: sets missing outputs to their defaults, and fails without a default",
    ]],
  },
  "SV-37": {
    behavior: "Invalid phases and outputs are refused.",
    tests: [[WORKFLOWS, "suspend, resume, stop and terminate"], [
      REQUESTS,
      "set: output parameters that are not strings are refused",
    ]],
  },
  "SV-38": {
    behavior: "Concurrent changes are both applied.",
    tests: [[CONTRACT, "resume: concurrent changes of one workflow are all applied"]],
  },
  "SV-39": {
    behavior: "Only finished workflows are retried, by users who may delete their pods.",
    tests: [[CONTRACT, "retry, resubmit: accept a failed workflow"], [
      "lib/engine/workflow_actions/retry_test.ts",
      "retry: requires a completed workflow, and selected nodes for a succeeded one",
    ], [GATE, "every route requires each of its permissions"]],
  },
  "SV-40": {
    behavior: "A memoized resubmission requires a failed workflow.",
    tests: [[
      "lib/engine/workflow_actions/resubmit_test.ts",
      "resubmit: a memoized resubmit is rejected for a workflow that did not fail",
    ], [
      CONTRACT,
      "retry, resubmit: accept a failed workflow",
    ]],
  },
  "SV-41": {
    behavior: "Finalizers are removed only with force; preconditions apply.",
    tests: [[WORKFLOWS, "delete: removes finalizers only with force"]],
  },
  "SV-42": {
    behavior: "The path has priority over the body.",
    tests: [[REQUESTS, "changes: apply to the workflow of the path"]],
  },
  "SV-43": {
    behavior: "Events have Argo's bytes, including errors and keep-alives.",
    tests: [[WORKFLOWS, "watch: sends current workflows and changes"], [
      STREAMS,
      "streams: an idle event stream sends keep-alives",
    ]],
  },
  "SV-44": {
    behavior: "Clients that accept other types than events receive JSON lines.",
    tests: [[REQUESTS, "watch: an Accept header with other types besides events returns lines"]],
  },
  "SV-45": {
    behavior: "A watch that the cluster ends continues without gaps or duplicates.",
    tests: [[
      "server/workflows/change_feed_test.ts",
      "change feed: a watcher with a version receives each later change",
    ], [
      "lib/kube/informer_test.ts",
      "Informer: resumes where a watch ended, without listing again",
    ]],
  },
  "SV-46": {
    behavior: "Requests to the cluster end when their client disconnects.",
    tests: [[STREAMS, "streams: a disconnected client ends a waiting source"], [
      LISTEN,
      "is notified when the client disconnects",
    ]],
  },
  "SV-47": {
    behavior: "Kubernetes events are returned even if an instance ID is set.",
    tests: [[REQUESTS, "watch: Kubernetes events are sent even if an instance is set"]],
  },
  "SV-48": {
    behavior: "Log lines of several pods are merged by time.",
    tests: [[CONTRACT, "logs: lines are ordered by time"], [
      "lib/service/merge_lines_test.ts",
      "lines of several logs",
    ]],
  },
  "SV-49": {
    behavior: "A long line is split at each MiB.",
    tests: [[REQUESTS, "logs: a line of 3 MiB is sent in three entries"]],
  },
  "SV-50": {
    behavior: "An invalid pattern is reported; times are included on request.",
    tests: [[REQUESTS, "logs: a line of 3 MiB is sent in three entries"], [
      CONTRACT,
      "logs: lines are ordered by time",
    ]],
  },
  "SV-51": {
    behavior: "Followed logs wait for pods, and end with the workflow.",
    tests: [[
      "lib/service/logs_test.ts",
      "logs: following waits for main even if another container of its pod runs",
    ], [
      "lib/service/logs_test.ts",
      "logs: followed lines of several pods are ordered by time, and timestamps are shown only if requested",
    ], [
      CONTRACT,
      "logs: lines are ordered by time",
    ]],
  },
  "SV-52": {
    behavior: "Logs outlive their pods.",
    tests: [[ARTIFACTS, "logs: archived logs are available after their pod and workflow are deleted"]],
  },
  "SV-53": {
    behavior: "The default container is main.",
    tests: [[REQUESTS, "logs: a line of 3 MiB is sent in three entries"], [
      ARTIFACTS,
      "logs: archived logs are available after their pod and workflow are deleted",
    ]],
  },
  "SV-54": {
    behavior: "A start time may be RFC 3339 or seconds.",
    tests: [[REQUESTS, "logs: a line of 3 MiB is sent in three entries"]],
  },
  "SV-55": {
    behavior: "Lines of another workflow's pods are not returned.",
    tests: [[REQUESTS, "logs: a line of 3 MiB is sent in three entries"]],
  },
  "SV-56": {
    behavior: "The name of an artifact cannot add another header.",
    tests: [[ARTIFACTS, "fileHeaders: a name that is not a valid header value is encoded"], [
      ARTIFACTS,
      "artifacts: are served unchanged, with headers that prevent scripts",
    ]],
  },
  "SV-57": {
    behavior: "A script in an artifact does not run.",
    tests: [["tests/ui/journeys/artifacts.ts", "an HTML report runs no script"]],
  },
  "SV-58": {
    behavior: "A folder is a list without active content, or redirects to its index.html.",
    tests: [[ARTIFACTS, "artifacts: the URL of a folder ends in a slash and lists its children"], [
      ARTIFACTS,
      "a folder with an index.html",
    ]],
  },
  "SV-59": {
    behavior: "No path leads out of an artifact.",
    tests: [[ARTIFACTS, "artifacts: a path cannot leave the artifact"]],
  },
  "SV-60": {
    behavior: "A missing artifact returns 404; an unreachable store is reported without its keys.",
    tests: [[ARTIFACTS, "artifacts: a missing artifact, file, node or workflow is 404"], [
      ARTIFACTS,
      "artifacts: the error of an unreachable store contains no keys and no bucket",
    ]],
  },
  "SV-61": {
    behavior: "Ranges are supported; an aborted transfer does not look complete.",
    tests: [[ARTIFACTS, "artifacts: serves a byte range"], [
      LISTEN,
      "listen: an aborted response is not mistaken for a complete one",
    ]],
  },
  "SV-62": {
    behavior: "The store's secrets are read with the caller's permissions.",
    tests: [[ARTIFACTS, "artifacts: a caller without permission to read the store's secrets is refused"]],
  },
  "SV-63": {
    behavior: "Uploads are bounded, refused before they are read, and named by their file.",
    tests: [[UPLOADS, "upload: a file that is too large or incomplete is rejected and not kept"], [
      UPLOADS,
      "upload: without permission, the file is not read",
    ], [
      UPLOADS,
      "upload: the key contains only the base name of the file, without template tags",
    ]],
  },
  "SV-64": {
    behavior: "Headers that begin with x- are metadata of an event; credentials never are.",
    tests: [[EVENTS, "events: x- headers are metadata, case-insensitive and without credentials"]],
  },
  "SV-65": {
    behavior: "A failing binding is reported, and does not affect others.",
    tests: [[EVENTS, "events: a failed binding gets a warning with Argo's prefix and does not affect the others"]],
  },
  "SV-66": {
    behavior: "Events may be processed after their response; a full queue is reported.",
    tests: [[EVENTS, "events: asynchronous events are dispatched after the response, and a full queue rejects more"]],
  },
  "SV-67": { behavior: "A payload may be any JSON.", tests: [[EVENTS, "a payload may be any JSON"]] },
  "SV-68": {
    behavior: "Metadata are expressions with string results; a binding without submit creates nothing.",
    tests: [[EVENTS, "events: name, labels and annotations of a workflow are string expressions"], [
      EVENTS,
      "events: a matching selector creates a workflow with the labels of binding and template",
    ]],
  },
  "SV-69": {
    behavior: "An event of more than 2 MiB is refused.",
    tests: [[EVENTS, "webhooks: all refusals are the same and do not disclose the reason"]],
  },
  "SV-70": {
    behavior: "An unauthenticated webhook is anonymous.",
    tests: [[EVENTS, "webhooks: an authenticated webhook acts as the service account of its entry"], [
      EVENTS,
      "webhooks: a SHA-1 or truncated signature is rejected",
    ]],
  },
  "SV-71": {
    behavior: "An empty or misspelled entry authenticates nobody, and does not affect others.",
    tests: [[EVENTS, "webhooks: an invalid entry is ignored and does not affect the others"], [
      EVENTS,
      "webhooks: a SHA-1 or truncated signature is rejected",
    ]],
  },
  "SV-72": {
    behavior: "Cron workflows of another instance are not suspended.",
    tests: [[TEMPLATES, "objects of another instance"]],
  },
  "SV-73": {
    behavior: "Pages of templates that match a pattern have no duplicates.",
    tests: [[TEMPLATES, "template routes: with a pattern, each template is listed once"]],
  },
  "SV-74": { behavior: "namePrefix with Exact is the whole name.", tests: [[ARCHIVE, "namePrefix is a prefix"]] },
  "SV-75": {
    behavior: "A retried archived workflow is created only if it no longer exists.",
    tests: [[
      ARCHIVE,
      "archive: retry restores a workflow under its name, and fails if it still exists in the cluster",
    ]],
  },
  "SV-76": {
    behavior: "Values of labels are listed for one key that is not hidden.",
    tests: [[ARCHIVE, "archive: lists label keys and values"]],
  },
  "SV-77": {
    behavior: "Keys of labels are those of the namespace that the caller may list.",
    tests: [[ARCHIVE, "archive: lists label keys and values"], [
      ARCHIVE,
      "archive: a caller with access to one namespace cannot detect archived workflows elsewhere",
    ]],
  },
  "SV-78": {
    behavior: "Limits are created once; a second creation fails.",
    tests: [[SYNC, "sync limits: creating twice fails"], [
      SYNC,
      "sync limits: limits in a database are rows that controllers read",
    ]],
  },
  "SV-79": {
    behavior: "The information omits empty fields, and links that are scripts.",
    tests: [[INFO, "info: omits empty settings and links with a script"], [
      FOLLOW,
      "follow: applies a change once, and keeps the value if the setting cannot be read",
    ]],
  },
  "SV-80": {
    behavior: "Only successful responses have the version header.",
    tests: [[INFO, "info: successful responses have a version header, errors do not"]],
  },
  "SV-81": {
    behavior: "Each address has its own rate limit.",
    tests: [[HEADERS, "server: the rate limit counts every request of an address"]],
  },
  "SV-82": {
    behavior: "One port serves all protocols, with and without TLS.",
    tests: [[LISTEN, "HTTP/1.1 and HTTP/2 work on one port"], [GRPC, "gRPC: REST is served on the same port"]],
  },
  "SV-83": {
    behavior: "Objects over gRPC equal the stored ones.",
    tests: [[GRPC, "a workflow is created, read, listed"], [
      "tests/argo_cli/stored_test.ts",
      "reads objects and logs, copies artifacts",
    ], ["tests/argo_cli/stored_test.ts", "prints the same bytes by gRPC"]],
  },
  "SV-84": {
    behavior: "Messages and bodies are limited to 4 MiB, or to the lower limit of their route.",
    tests: [[GRPC, "gRPC: a message above the route's limit is rejected, compressed or not"], [
      REQUESTS,
      "bodies: a body that exceeds the limit of Kubernetes is rejected before it",
    ]],
  },
  "SV-85": {
    behavior: "The page has its base, its policy and its headers; the API uses the allowed origin.",
    tests: [["server/page/page_test.ts", "page: any path returns the page, which is revalidated each time and"], [
      "server/page/page_test.ts",
      "page: the policy allows no other origins",
    ], [HEADERS, "server: CORS headers are in every response, including errors, if an origin is allowed"]],
  },
  "SV-86": {
    behavior: "A renewed certificate is used without ending streams; old versions of TLS are refused.",
    tests: [[FOLLOW, "a renewed certificate"], [LISTEN, "listen: old TLS versions are refused: 1.1 always"]],
  },
  "SV-87": {
    behavior: "A server of one namespace sends no cluster-wide requests.",
    tests: [["tests/install/server_roles_test.ts", "a server of one namespace needs no cluster-wide right"]],
  },
  "SV-88": {
    behavior: "The server starts without permissions for cluster templates.",
    tests: [["tests/install/server_roles_test.ts", "a server of one namespace needs no cluster-wide right"]],
  },
  "SV-89": {
    behavior: "Without Argo Events, its routes return 404; with it, unknown fields are preserved.",
    tests: [["server/argo_events/routes_test.ts", "argo events: without CRDs, routes respond 404 with code 5"], [
      "server/argo_events/routes_test.ts",
      "argo events: objects are passed through with unknown fields",
    ]],
  },
  "SV-90": {
    behavior: "While the cluster is unreachable, lists are served, and writes return 503.",
    tests: [[REQUESTS, "cluster: while it is unavailable, lists work and writes fail;"]],
  },
  "SV-91": {
    behavior: "A client that does not read is disconnected, and costs little until then.",
    tests: [
      ["server/listen/stalled_test.ts", "stalled clients: an HTTP/1.1 client"],
      ["server/listen/stalled_test.ts", "stalled clients: an unread HTTP/2 session"],
      ["server/workflows/deaf_watchers_test.ts", "watch: a thousand clients that do not read use bounded memory"],
      ["server/unread_streams_test.ts", "unread streams: a log uses bounded memory, times out"],
      ["server/unread_streams_test.ts", "unread streams: a watch over gRPC times out"],
    ],
  },
  "SV-92": {
    behavior: "A flood of frames affects only its own connection.",
    tests: [["server/listen/hostile_frames_test.ts", "others are served, and memory is bounded"]],
  },
  "SV-93": {
    behavior: "Third-party clients work as with Argo: Hera, Argo's Python client, curl.",
    tests: [
      ["tests/clients/python/hera_service.py"],
      ["tests/clients/python/hera_examples.py"],
      ["tests/clients/python/hera_runs.py"],
      ["tests/clients/python/argo_client.py"],
      ["tests/clients/curl_test.ts", "the command that the page shows for a route"],
      ["tests/clients/curl_test.ts", "lists, watches, and is refused without a token"],
    ],
  },
};
