/**
 * Cases of the server and of the CLI: what must be true of routes (SV), callers (AU), commands (CL) and known attacks (SEC),
 * one sentence per case, and where each is asked. `scripts/server_cases_test.ts` holds the table against the titles of tests.
 */
import type { AskedCase } from "./case_coverage.ts";

const WORKFLOWS = "server/workflows/routes_test.ts";
const REQUESTS = "server/workflows/requests_test.ts";
const ARCHIVE = "server/archive/routes_test.ts";
const ARTIFACTS = "server/artifacts/routes_test.ts";
const UPLOADS = "server/artifacts/upload_test.ts";
const EVENTS = "server/events/routes_test.ts";
const TEMPLATES = "server/templates/routes_test.ts";
const INFO = "server/info/routes_test.ts";
const GATE = "server/gate/gate_routes_test.ts";
const GRPC = "server/grpc/grpc_test.ts";
const LISTEN = "server/listen/listen_test.ts";
const LOGIN = "server/sso/login_test.ts";
const MODE = "server/sso/mode_test.ts";
const SESSION = "server/sso/session_test.ts";
const CONTRACT = "lib/workflow_service/testing/contract.ts";
const SCRIPTED = "cli/commands/scripted_test.ts";
const COMMANDS = "cli/commands/cluster_commands_test.ts";
const TEXTS = "cli/commands/texts_test.ts";
const ARGO = "tests/argo_cli/argo_cli_test.ts";
const STORED = "lib/archive/workflow_archive_test.ts";
const STREAMS = "server/wire/streams_test.ts";
const MASK = "server/wire/field_mask_test.ts";
const QUERY = "server/wire/query_test.ts";
const HOSTILE = "server/hostile_requests_test.ts";
const CLI_ARCHIVE = "cli/commands/archive_test.ts";
const SUSPENDED = "lib/workflow_actions/suspended_nodes_test.ts";
const SYNC = "server/sync/routes_test.ts";
const CP = "cli/commands/cp_test.ts";
const HEADERS = "server/answer_headers_test.ts";
const FOLLOW = "server/follow_test.ts";

/** All cases, by id. */
export const SERVER_CASES: Readonly<Record<string, AskedCase>> = {
  "SV-01": {
    says: "What no route takes is not implemented, in Argo's words.",
    tests: [[WORKFLOWS, "a request that no route takes"]],
  },
  "SV-02": {
    says: "A body that is no JSON, or holds no object, is refused with the code 3.",
    tests: [[WORKFLOWS, "bodies that are no JSON"]],
  },
  "SV-03": {
    says: "Numbers that cannot be read are refused; unknown names are not minded.",
    tests: [[WORKFLOWS, "an empty list says null"], [QUERY, "numbers may be written as Go"], [
      QUERY,
      "unknown ones not at all",
    ]],
  },
  "SV-04": {
    says: "A continue is a place, or a number that says how many to pass over.",
    tests: [[WORKFLOWS, "an empty list says null"], [ARCHIVE, "a number as continue"]],
  },
  "SV-05": {
    says: "Selectors that are none, or of unknown fields, are refused.",
    tests: [[WORKFLOWS, "a list selects by labels"]],
  },
  "SV-06": { says: "Nothing there is a list of null.", tests: [[WORKFLOWS, "an empty list says null"]] },
  "SV-07": {
    says: "Pages of live workflows follow each other to the end.",
    tests: [[WORKFLOWS, "an empty list says null"]],
  },
  "SV-08": {
    says: "Archived workflows are listed once, also without a limit.",
    tests: [[ARCHIVE, "each once, in pages of any size"], [ARGO, "each archived workflow once"]],
  },
  "SV-09": {
    says: "Who moves to the archive between two pages is on one of them.",
    tests: [[ARCHIVE, "moves to the archive between two pages"]],
  },
  "SV-10": {
    says: "A page far down in a large archive comes quickly, and counts nothing.",
    lacks: "`deno task bench:server` measures it; no test holds a time",
  },
  "SV-11": {
    says: "The number that is left is exact over both stores.",
    tests: [[ARCHIVE, "the number that is left"]],
  },
  "SV-12": {
    says: "Names are compared without wildcards.",
    tests: [[ARCHIVE, "names are compared without wildcards"]],
  },
  "SV-13": { says: "Times are instants, whatever their zone.", tests: [[WORKFLOWS, "a list selects by labels"]] },
  "SV-14": {
    says: "Each operator of labels means the same live and archived, in each database.",
    tests: [[ARCHIVE, "each operator of labels"], [STORED, "every kind of requirement on labels"]],
  },
  "SV-15": {
    says: "A selector never becomes a statement of a database.",
    tests: [[REQUESTS, "a selector that is no selector"]],
  },
  "SV-16": {
    says: "Fields keep what they name; the next page is found all the same.",
    tests: [[WORKFLOWS, "fields keep what they name"], [REQUESTS, "a page that keeps few fields"]],
  },
  "SV-17": { says: "Nodes that nobody wants are not loaded.", tests: [[MASK, "known before they are loaded"]] },
  "SV-18": {
    says: "An archived workflow in the cluster is listed once.",
    tests: [[ARCHIVE, "an archived workflow in the cluster is listed once"]],
  },
  "SV-19": {
    says: "What is gone is read from the archive: by UID, or the newest of the name.",
    tests: [[ARCHIVE, "is read from the archive"]],
  },
  "SV-20": { says: "@latest is the newest, also of one second.", tests: [[WORKFLOWS, "@latest is the newest"]] },
  "SV-21": {
    says: "Nodes that were made small, or lie elsewhere, are put back.",
    tests: [["server/workflows/offloaded_test.ts", "whose nodes lie in the database"], [
      "lib/nodes/compress_test.ts",
      "puts back",
    ]],
    lacks: "zstd and brotli, which no controller writes",
  },
  "SV-22": {
    says: "The creator is the caller, whatever the object says.",
    tests: [[WORKFLOWS, "a created workflow is the caller's"]],
  },
  "SV-23": { says: "Dry runs store nothing.", tests: [[WORKFLOWS, "a created workflow is the caller's"]] },
  "SV-24": { says: "An object of another namespace is refused.", tests: [[WORKFLOWS, "belongs elsewhere"]] },
  "SV-25": {
    says: "A create that took too long says that its workflow may be there.",
    tests: [[REQUESTS, "a create that took too long"]],
  },
  "SV-26": {
    says: "Submissions come from every kind, under each of its names.",
    tests: [[WORKFLOWS, "submissions come from every kind"], [
      REQUESTS,
      "a submission comes from a ClusterWorkflowTemplate",
    ]],
  },
  "SV-27": {
    says: "A submitted CronWorkflow has its time, label, finalizers and owner.",
    tests: [["lib/workflow_actions/submit_options_test.ts", "started from a cron workflow by hand"]],
  },
  "SV-28": {
    says: "The first = splits a parameter; one without is refused.",
    tests: [[WORKFLOWS, "submissions come from every kind"], [REQUESTS, "its options have one spelling"]],
  },
  "SV-29": { says: "entryPoint counts, entrypoint does not.", tests: [[REQUESTS, "its options have one spelling"]] },
  "SV-30": {
    says: "Nobody submits with a key that is not their upload.",
    tests: [[UPLOADS, "nobody submits with another's upload"]],
  },
  "SV-31": {
    says: "Lint tells nobody without rights whether a template is there.",
    tests: [[GATE, "who lacks one learns nothing of what is there"]],
    lacks: "who may create workflows learns of templates that they name, as by creating them",
  },
  "SV-32": {
    says: "Bodies without their object harm no route of templates.",
    tests: [[TEMPLATES, "a body without the object of its route"]],
  },
  "SV-33": {
    says: "An update is of what the path names, as it was read.",
    tests: [[TEMPLATES, "an update is of the object that the path names"]],
  },
  "SV-34": {
    says: "What has ended is neither suspended nor stopped; terminate comes after stop.",
    tests: [[WORKFLOWS, "suspend, resume, stop and terminate"]],
  },
  "SV-35": {
    says: "A stop of nodes fails these, and says when there are none.",
    tests: [[CONTRACT, "chosen nodes are given a phase"], [COMMANDS, "a node can be resumed"]],
  },
  "SV-36": {
    says: "Each resumed node says who resumed it; outputs without a value keep all as it was.",
    tests: [[SUSPENDED, "each resumed node says who"], [SUSPENDED, "outputs that nobody supplied"]],
  },
  "SV-37": {
    says: "Phases and outputs that cannot be are refused.",
    tests: [[WORKFLOWS, "suspend, resume, stop and terminate"], [REQUESTS, "outputs that are set are texts"]],
  },
  "SV-38": { says: "Changes that meet are both made.", tests: [[CONTRACT, "changes that meet are both made"]] },
  "SV-39": {
    says: "Only what has ended is retried, with the right to delete its pods.",
    tests: [[CONTRACT, "a failed workflow goes on"], [
      "lib/workflow_actions/retry_test.ts",
      "a workflow is retried only when it has ended",
    ], [GATE, "each route needs each of its rights"]],
  },
  "SV-40": {
    says: "A memoized resubmission is of a failed workflow.",
    tests: [["lib/workflow_actions/resubmit_test.ts", "did not fail is not resubmitted memoized"], [
      CONTRACT,
      "a failed workflow goes on",
    ]],
  },
  "SV-41": {
    says: "Finalizers go by force only; preconditions count.",
    tests: [[WORKFLOWS, "delete takes finalizers off only by force"]],
  },
  "SV-42": {
    says: "The path wins over the body.",
    tests: [[REQUESTS, "a change is made to the workflow of the path"]],
  },
  "SV-43": {
    says: "Events have Argo's bytes, refusals too, and a sign of life.",
    tests: [[WORKFLOWS, "as lines or as events of Argo's form"], [STREAMS, "a sign of life"]],
  },
  "SV-44": {
    says: "Who asks for anything beside events gets lines.",
    tests: [[REQUESTS, "who asks for events and for something else"]],
  },
  "SV-45": {
    says: "A watch that the cluster ends goes on, without a gap or a repeat.",
    tests: [["server/workflows/change_feed_test.ts", "has been since"], [
      "lib/kube/informer_test.ts",
      "watches on from where a watch ended",
    ]],
  },
  "SV-46": {
    says: "A client that leaves ends what was asked for it.",
    tests: [[STREAMS, "a client that leaves"], [LISTEN, "learns when the client has left"]],
  },
  "SV-47": {
    says: "Events of the cluster are told though an instance is set.",
    tests: [[REQUESTS, "events of the cluster are told"]],
  },
  "SV-48": {
    says: "Lines of several pods come by their times.",
    tests: [[CONTRACT, "lines come in the order they were written"], [
      "lib/workflow_service/merge_lines_test.ts",
      "lines of several logs",
    ]],
  },
  "SV-49": { says: "A long line is cut at each MiB.", tests: [[REQUESTS, "a line of three MiB"]] },
  "SV-50": {
    says: "A pattern that is none is told; times stand where they are asked for.",
    tests: [[REQUESTS, "a line of three MiB"], [CONTRACT, "lines come in the order they were written"]],
  },
  "SV-51": {
    says: "Logs that are followed wait for pods, and end with the workflow.",
    tests: [["lib/workflow_service/logs_test.ts", "wait for main"], [
      CONTRACT,
      "lines come in the order they were written",
    ]],
  },
  "SV-52": { says: "Logs outlive their pods.", tests: [[ARTIFACTS, "logs outlive their pods"]] },
  "SV-53": {
    says: "Where no container is named, it is main.",
    tests: [[REQUESTS, "a line of three MiB"], [ARTIFACTS, "logs outlive their pods"]],
  },
  "SV-54": { says: "A beginning may be RFC 3339 or seconds.", tests: [[REQUESTS, "a line of three MiB"]] },
  "SV-55": { says: "A pod of another workflow has no lines here.", tests: [[REQUESTS, "a line of three MiB"]] },
  "SV-56": {
    says: "The name of an artifact is one header.",
    tests: [[ARTIFACTS, "a name that is no header"], [ARTIFACTS, "headers that let nothing in it run"]],
  },
  "SV-57": {
    says: "A script in an artifact does not run.",
    tests: [["tests/ui/journeys/artifacts.ts", "a report in HTML runs nothing"]],
  },
  "SV-58": {
    says: "A folder is a list with nothing to run in it, or leads to its index.html.",
    tests: [[ARTIFACTS, "a folder has an address"], [ARTIFACTS, "a folder with an index.html"]],
  },
  "SV-59": { says: "No path leads out of an artifact.", tests: [[ARTIFACTS, "no path leads out"]] },
  "SV-60": {
    says: "What is not there is 404; a store that is away is told of without its keys.",
    tests: [[ARTIFACTS, "are not there are not found"], [ARTIFACTS, "a store that is away"]],
  },
  "SV-61": {
    says: "Parts are answered; what breaks off does not look whole.",
    tests: [[ARTIFACTS, "a part of a file"], [LISTEN, "an answer that breaks off"]],
  },
  "SV-62": {
    says: "The store's secrets are the caller's to read.",
    tests: [[ARTIFACTS, "may not read the secrets of the store"]],
  },
  "SV-63": {
    says: "Uploads are bounded, refused before they are read, and named by their file.",
    tests: [[UPLOADS, "too large or breaks off"], [UPLOADS, "not a byte of the file is read"], [
      UPLOADS,
      "the name of an upload",
    ]],
  },
  "SV-64": {
    says: "Headers that begin with x- are an event's metadata; credentials never are.",
    tests: [[EVENTS, "headers whose names begin with x-"]],
  },
  "SV-65": {
    says: "A binding that fails is told of, and harms no other.",
    tests: [[EVENTS, "a binding that fails is told of"]],
  },
  "SV-66": {
    says: "Events may be carried after their answer; a full queue says so.",
    tests: [[EVENTS, "events that nobody waits for"]],
  },
  "SV-67": { says: "A payload may be any JSON.", tests: [[EVENTS, "a payload may be any JSON"]] },
  "SV-68": {
    says: "Metadata are expressions that give texts; a binding without submit makes nothing.",
    tests: [[EVENTS, "are expressions that give texts"], [EVENTS, "makes a workflow of the template"]],
  },
  "SV-69": { says: "An event of more than 2 MiB is refused.", tests: [[EVENTS, "one refusal for all of them"]] },
  "SV-70": {
    says: "A webhook that does not prove itself is nobody.",
    tests: [[EVENTS, "each kind of webhook"], [EVENTS, "a signature of SHA-1"]],
  },
  "SV-71": {
    says: "An entry that is empty or misspelt is nobody, and harms no other.",
    tests: [[EVENTS, "empty, misspelt or of no known kind"], [EVENTS, "a signature of SHA-1"]],
  },
  "SV-72": {
    says: "Cron workflows of another instance are not suspended.",
    tests: [[TEMPLATES, "objects of another instance"]],
  },
  "SV-73": {
    says: "Pages of templates that a pattern means repeat nothing.",
    tests: [[TEMPLATES, "templates that a pattern means"]],
  },
  "SV-74": { says: "namePrefix with Exact is the whole name.", tests: [[ARCHIVE, "namePrefix is a prefix"]] },
  "SV-75": {
    says: "An archived workflow goes on where it is gone, and only there.",
    tests: [[ARCHIVE, "an archived workflow goes on under its name"]],
  },
  "SV-76": {
    says: "Values of labels are told for one key that is not hidden.",
    tests: [[ARCHIVE, "labels of archived workflows are told"]],
  },
  "SV-77": {
    says: "Keys of labels are those of the namespace that the caller may list.",
    tests: [[ARCHIVE, "labels of archived workflows are told"], [ARCHIVE, "may look into one namespace only"]],
  },
  "SV-78": {
    says: "Limits are created once and found again, or told of.",
    tests: [[SYNC, "limits are created once"], [SYNC, "limits of a database"]],
  },
  "SV-79": {
    says: "Information leaves out what is empty, and links that are programs.",
    tests: [[INFO, "info leaves out"], [FOLLOW, "a change is told of once"]],
  },
  "SV-80": {
    says: "The version stands on answers that succeed only.",
    tests: [[INFO, "the version stands on answers"]],
  },
  "SV-81": { says: "Each address has its own rate.", tests: [[HEADERS, "each address has so many requests"]] },
  "SV-82": {
    says: "One port answers all protocols, with TLS and without.",
    tests: [[LISTEN, "HTTP/1.1 and HTTP/2 are answered"], [GRPC, "REST is answered on the port"]],
  },
  "SV-83": {
    says: "Objects are the same by gRPC as they are stored.",
    tests: [[GRPC, "a workflow is created, read, listed"]],
    lacks: "the CLI's JSON beside kubectl's, byte for byte",
  },
  "SV-84": {
    says: "Messages and bodies have 100 MiB at most.",
    tests: [[GRPC, "a message larger than 100 MiB"], [REQUESTS, "a body of more than 100 MiB"]],
  },
  "SV-85": {
    says: "The page has its base, its policy and its headers; the API follows the allowed origin.",
    tests: [["server/page/page_test.ts", "any path is the page"], [
      "server/page/page_test.ts",
      "nothing of the page may come from elsewhere",
    ], [HEADERS, "pages of the allowed origin"]],
  },
  "SV-86": {
    says: "A renewed certificate is shown, and no stream ends; old versions of TLS are refused.",
    tests: [[FOLLOW, "a renewed certificate"], [LISTEN, "a version of TLS"]],
  },
  "SV-87": {
    says: "A server of one namespace asks nothing of the cluster.",
    tests: [["tests/install/server_roles_test.ts", "without any right of the cluster"]],
  },
  "SV-88": {
    says: "Without rights on cluster templates the server starts.",
    tests: [["tests/install/server_roles_test.ts", "without any right of the cluster"]],
  },
  "SV-89": {
    says: "Without Argo Events its routes are 404; with it, fields survive.",
    tests: [["server/argo_events/routes_test.ts", "404 with the code 5"], [
      "server/argo_events/routes_test.ts",
      "fields that nobody here knows",
    ]],
  },
  "SV-90": {
    says: "While the cluster is away lists are answered, and writes are 503.",
    tests: [[REQUESTS, "while the cluster is away"]],
  },
  "AU-01": {
    says: "Without credentials each route is 401, in both protocols.",
    tests: [[GATE, "no route is reached without credentials"], [GRPC, "asks who calls"]],
  },
  "AU-02": {
    says: "A false token reaches nothing, not even information, lint or metrics.",
    tests: [[GATE, "no route is reached without credentials"], [
      "server/metrics/server_metrics_test.ts",
      "callers who are known",
    ]],
  },
  "AU-03": {
    says: "Malformed and huge credentials are refused.",
    tests: [[GATE, "no route is reached without credentials"]],
  },
  "AU-04": {
    says: "A credential that fails is never served with the server's rights.",
    tests: [[GATE, "bad ones never fall back"], [MODE, "a token of Kubernetes lets in too"]],
  },
  "AU-05": {
    says: "The first cookie that a mode takes counts; a bad header goes before all.",
    tests: [[GATE, "a cookie whose form a mode takes"]],
  },
  "AU-06": {
    says: "A name with a password is passed on; one without is refused.",
    tests: [[INFO, "a name with a password"]],
  },
  "AU-07": {
    says: "A caller's requests carry the caller's credentials alone.",
    tests: [["server/gate/credentials_test.ts", "carry the caller's token"]],
    lacks: "a server whose own credentials are a certificate or of a plug-in",
  },
  "AU-08": {
    says: "What follows the namespace is the account's name.",
    tests: [[INFO, "a service account is told apart"]],
  },
  "AU-09": {
    says: "Rights and callers that are gone count no longer after their time.",
    tests: [[GATE, "a right that was taken away"], [INFO, "whom the cluster no longer knows"]],
  },
  "AU-10": {
    says: "A login gives Argo's cookie and what the provider says.",
    tests: [[LOGIN, "a person who logs in"]],
  },
  "AU-11": {
    says: "Sessions open in both products.",
    tests: [
      [SESSION, "that Argo's libraries sealed"],
      ["tests/argo_cli/session_exchange_test.ts", "opens in Argo's server"],
    ],
  },
  "AU-12": {
    says: "Sessions of others, or of long ago, are none.",
    tests: [[SESSION, "a text sealed with another key"], [SESSION, "ends a minute after its time"]],
  },
  "AU-13": { says: "After a login people come to this server only.", tests: [[LOGIN, "after the login people come"]] },
  "AU-14": {
    says: "An answer counts once, for the browser that asked.",
    tests: [[LOGIN, "an answer counts for the browser"], [LOGIN, "tokens that are not as they must be"], [
      LOGIN,
      "another verifier",
    ]],
  },
  "AU-15": {
    says: "Headers of proxies say nothing of the server's address.",
    tests: [[LOGIN, "proxy headers that anybody can write"]],
  },
  "AU-16": {
    says: "Groups that are no list are none; a page that fails lets nobody in.",
    tests: [[LOGIN, "groups come from the claim"]],
  },
  "AU-17": { says: "Groups are filtered; too many are told of.", tests: [[LOGIN, "groups come from the claim"]] },
  "AU-18": {
    says: "Each setting of the provider works, or is named.",
    tests: [[LOGIN, "by the alias of the setting"], [LOGIN, "a provider's certificate must be known"]],
  },
  "AU-19": { says: "The account of the highest precedence is acted as.", tests: [[MODE, "of the highest precedence"]] },
  "AU-20": {
    says: "What is not known of somebody is nil, and groups are a list.",
    tests: [[MODE, "rules see all that is known"]],
  },
  "AU-21": {
    says: "A rule that is broken is skipped, with a line a minute.",
    tests: [[MODE, "a rule that cannot be worked out"]],
  },
  "AU-22": { says: "Rules see all claims.", tests: [[MODE, "rules see all that is known"]] },
  "AU-23": {
    says: "The account of a namespace counts as the precedences say.",
    tests: [[MODE, "the account of the namespace that is asked about"]],
  },
  "AU-24": {
    says: "A rule of a namespace that fails harms nobody.",
    tests: [[MODE, "a rule of the namespace that fails"]],
  },
  "AU-25": {
    says: "The token is found in three places, and read anew.",
    tests: [[MODE, "the token is in the account's first Secret"]],
  },
  "AU-26": { says: "A session ends with its time.", tests: [[LOGIN, "without rules a session acts"]] },
  "AU-27": {
    says: "Servers share one key; garbage ends the start.",
    tests: [[LOGIN, "two servers that start at once"]],
  },
  "AU-28": {
    says: "No credential is in a line of the log.",
    tests: [["server/audit_test.ts", "no canary is in any"], [MODE, "and no token does"], [
      LOGIN,
      "tokens that are not as they must be",
    ]],
  },
  "AU-29": {
    says: "Each change is one line of the audit.",
    tests: [["server/audit_test.ts", "each change is one line"]],
  },
  "AU-30": {
    says: "Metrics are for callers who are known, or for all.",
    tests: [["server/metrics/server_metrics_test.ts", "metrics are for callers"]],
  },
  "AU-31": { says: "A right of one object is no other's.", tests: [[GATE, "a right of one object"]] },
  "AU-32": { says: "The server's own identity is its certificate's.", tests: [[INFO, "the one of its certificate"]] },
  "CL-01": {
    says: "Argo's CLI says of our server what it says of Argo's.",
    tests: [[ARGO, "Argo's CLI says of our server"]],
    lacks: "the commands logs, cp and archive with something there",
  },
  "CL-02": {
    says: "Ours says of Argo's server what it says of ours.",
    tests: [["tests/argo_cli/contract_test.ts", "the service over Argo's server"]],
    lacks: "nine promises that Argo's server does not keep, which the test names with what it does instead",
  },
  "CL-03": { says: "wait says when a workflow ended.", tests: [[TEXTS, "CL-03"]] },
  "CL-04": {
    says: "submit --wait ends with 1 for what failed, and prints the name alone where it is asked to.",
    tests: [[SCRIPTED, "submit --wait ends with 1"]],
  },
  "CL-05": {
    says: "A dry run needs a form, and writes nothing.",
    tests: [[SCRIPTED, "submit refuses what goes not together"], [COMMANDS, "submit --dry-run creates nothing"]],
  },
  "CL-06": { says: "What goes not together is refused.", tests: [[SCRIPTED, "submit refuses what goes not together"]] },
  "CL-07": {
    says: "The last of equal parameters counts; values of files are JSON.",
    tests: [[SCRIPTED, "of a parameter that is given twice"]],
  },
  "CL-08": {
    says: "Several documents may come by the standard input.",
    tests: [[SCRIPTED, "the standard input may hold several"]],
    lacks: "documents of other kinds are left out without a word",
  },
  "CL-09": {
    says: "Sources are named by kind; times are RFC 3339.",
    tests: [[SCRIPTED, "a workflow comes from a cluster template"], [
      SCRIPTED,
      "submit refuses what goes not together",
    ]],
  },
  "CL-10": { says: "Objects and lists are indented as scripts know it.", tests: [[TEXTS, "CL-10"]] },
  "CL-11": { says: "Ages are days without end.", tests: [[SCRIPTED, "ages are days without end"]] },
  "CL-12": {
    says: "Filters that cannot be are refused; the others narrow.",
    tests: [[SCRIPTED, "a list refuses filters"], [COMMANDS, "list is narrowed by state"]],
  },
  "CL-13": { says: "A list asked for in chunks is whole.", tests: [[SCRIPTED, "a list refuses filters"]] },
  "CL-14": { says: "Lists have their columns.", tests: [[SCRIPTED, "a list of all namespaces"]] },
  "CL-15": {
    says: "The tree is drawn as Argo's.",
    tests: [
      ["lib/status/tree_test.ts", "a step group has no row"],
      ["lib/status/tree_test.ts", "a retry has a row only"],
      ["lib/status/tree_test.ts", "the exit handler is a tree"],
      [COMMANDS, "get shows head and tree"],
    ],
    lacks: "daemons and hooks, which are drawn as other nodes are",
  },
  "CL-16": { says: "A phase and fields of nodes go not together.", tests: [[SCRIPTED, "get shows nodes by a phase"]] },
  "CL-17": {
    says: "Logs are narrowed; two beginnings are refused.",
    tests: [[SCRIPTED, "logs take a container"], [ARTIFACTS, "logs outlive their pods"]],
  },
  "CL-18": {
    says: "delete says what is not there, and means what all filters mean.",
    tests: [[SCRIPTED, "delete says what is not there"]],
  },
  "CL-19": { says: "stop needs somebody to stop, once.", tests: [[SCRIPTED, "stop needs a name"]] },
  "CL-20": {
    says: "resubmit takes a priority.",
    tests: [[SCRIPTED, "resubmit takes another priority"]],
    lacks: "retry of several with --wait waits for all of them here: who asks to wait means it",
  },
  "CL-21": { says: "Values of nodes may be quoted.", tests: [[SCRIPTED, "node knows set"]] },
  "CL-22": {
    says: "cp puts artifacts at their places, and nothing elsewhere.",
    tests: [[CP, "puts every output artifact"], [CP, "leads out of the directory"], [CP, "asks by the proxy"]],
  },
  "CL-23": {
    says: "lint tells each problem, in both forms.",
    tests: [[COMMANDS, "lint tells every problem"], [SCRIPTED, "lint takes kinds by name"]],
  },
  "CL-24": {
    says: "The next run is that of all schedules, or N/A.",
    tests: [["cli/view/next_run_test.ts", "the next run is the first"], [
      "cli/view/next_run_test.ts",
      "has no next run",
    ]],
  },
  "CL-25": { says: "cron update takes parameters and a schedule.", tests: [[SCRIPTED, "cron create and update take"]] },
  "CL-26": {
    says: "A backfill makes each instant once.",
    tests: [["lib/workflow_actions/backfill_test.ts", "all schedules count"], [
      "lib/workflow_actions/backfill_test.ts",
      "a count that divides evenly",
    ]],
  },
  "CL-27": {
    says: "A name of the archive is the whole name.",
    tests: [[CLI_ARCHIVE, "never another whose name begins alike"]],
  },
  "CL-28": {
    says: "Several of a name are told with their UIDs.",
    tests: [[CLI_ARCHIVE, "asks for the UID"], [CLI_ARCHIVE, "never another whose name begins alike"]],
  },
  "CL-29": { says: "A retry by labels is of its own namespace.", tests: [[CLI_ARCHIVE, "in its own namespace only"]] },
  "CL-30": {
    says: "Kinds of limits are read in any case; a ConfigMap is named.",
    tests: [["cli/commands/sync_test.ts", "limits of semaphores"], [
      "cli/commands/sync_test.ts",
      "tiphys sync refuses",
    ]],
  },
  "CL-31": { says: "convert writes today's form.", tests: [["cli/commands/convert_test.ts", "CL-31"]] },
  "CL-32": {
    says: "A plugin becomes the ConfigMap that argo makes.",
    tests: [["cli/commands/executor_plugin_test.ts", "CL-32"]],
  },
  "CL-33": { says: "auth token prints the header.", tests: [[TEXTS, "CL-33"]] },
  "CL-34": { says: "version tells of the server too.", tests: [[SCRIPTED, "version tells of the server"]] },
  "CL-35": { says: "Shells complete commands and names.", tests: [[TEXTS, "CL-35"]] },
  "CL-36": {
    says: "Unknown forms and flags are refused.",
    tests: [[TEXTS, "CL-36"], ["cli/program_test.ts", "cannot be read ends with 2"]],
  },
  "CL-37": { says: "A token is sent with its word.", tests: [[SCRIPTED, "a token is sent whole"]] },
  "CL-38": {
    says: "No colours where no terminal is; a reader who leaves is no trouble.",
    tests: [[SCRIPTED, "nothing is coloured"], ["cli/reader_leaves_test.ts", "a reader who leaves"]],
  },
  "CL-39": {
    says: "A certificate that nobody vouches for ends the command with the host's name.",
    tests: [["cli/connect/server_connection_test.ts", "nobody vouches for"]],
  },
  "CL-40": {
    says: "A second shell reaches the embedded cluster, archive included.",
    tests: [[CLI_ARCHIVE, "tiphys archive over"], ["local/kubeconfig_test.ts", "a kubeconfig leads to the cluster"]],
    lacks: "each command by a process of its own",
  },
  "CL-41": {
    says: "A path before the API goes before each request.",
    tests: [["cli/connect/server_connection_test.ts", "a path before the API"]],
  },
  "CL-42": {
    says: "A manifest may be a URL, whose refusal is told.",
    tests: [["cli/connect/server_connection_test.ts", "a manifest may be a URL"]],
  },
  "SEC-1": {
    says: "The mode is client unless said otherwise; beyond this machine server needs a word more.",
    tests: [["server/flags_test.ts", "the defaults are Argo's"], ["server/flags_test.ts", "needs --allow-anonymous"]],
  },
  "SEC-2": {
    says: "A value that looks like a template stays a text.",
    tests: [[EVENTS, "a payload may be any JSON"], ["tests/advisories/cve_2021_37914_test.ts", "CVE-2021-37914"]],
  },
  "SEC-3": {
    says: "No client of ours leaves a certificate unchecked unless told to.",
    tests: [["tests/advisories/ghsa_6c73_test.ts", "trusts the authority"], [
      "lib/net/dial_test.ts",
      "authorities that are given",
    ]],
  },
  "SEC-4": {
    says: "Strict refuses what reaches a pod.",
    tests: [["tests/advisories/cve_2026_31892_test.ts", "podSpecPatch is refused"], [
      "tests/advisories/cve_2026_42296_test.ts",
      "fields that reach a pod",
    ]],
    lacks: "the controller refuses it: the server takes the object, which then fails with the reason",
  },
  "SEC-5": { says: "No account or claim makes the gate fail.", tests: [[HOSTILE, "SEC-5"]] },
  "SEC-6": { says: "Huge bodies are read as far as an event may go.", tests: [[HOSTILE, "SEC-6"]] },
  "SEC-7": { says: "Refusals and metrics leave nothing behind.", tests: [[HOSTILE, "SEC-7"]] },
  "SEC-8": { says: "No body makes the server fail.", tests: [[HOSTILE, "SEC-8"]] },
  "SEC-9": {
    says: "A change by a cookie comes from the server's own page.",
    tests: [[GATE, "a cookie whose form a mode takes"]],
  },
};
