/**
 * Cases of artifacts: required properties of stores, transfers, archives and garbage, one sentence per case, and the
 * tests of each. `scripts/artifact_cases_test.ts` compares the table with the contract of drivers and the titles of
 * tests.
 */
import type { CoveredCase } from "./case_coverage.ts";

/** One case. */
export interface ArtifactCase extends CoveredCase {
  /** Whether the contract of drivers tests it, for every store. */
  readonly contract?: true;
}

const TRANSFER = "lib/artifacts/transfer/transfer_test.ts";
const RETRY = "lib/artifacts/transfer/retry_test.ts";
const S3 = "lib/stores/s3/s3_driver_test.ts";
const S3_KEYS = "lib/stores/s3/credentials_test.ts";
const HTTP = "lib/stores/http/http_test.ts";
const GIT = "lib/stores/git/git_test.ts";
const SSH = "lib/stores/git/ssh_test.ts";
const PLUGIN = "lib/stores/plugin/plugin_test.ts";
const HDFS = "lib/store-hdfs/hdfs_test.ts";
const HDFS_KERBEROS = "lib/store-hdfs/kerberos_test.ts";
const HDFS_RPC = "lib/store-hdfs/rpc_test.ts";
const OSS = "lib/stores/oss/oss_test.ts";
const FOREIGN = "lib/artifacts/formats/foreign_archives_test.ts";
const ARGO = "lib/artifacts/formats/argo_archives_test.ts";
const HUGE = "lib/artifacts/formats/huge_archives_test.ts";
const HOSTILE = "lib/artifacts/formats/hostile_archives_test.ts";
const ARCHIVES = "lib/artifacts/formats/archives_test.ts";
const LOCATION = "lib/model/artifact/location_test.ts";
const NET = "lib/base/net/open_net_test.ts";
const POD = "executor/hostile_pod_test.ts";
const SUPERVISOR = "executor/before_main/supervisor_test.ts";
const STAGE = "executor/before_main/stage_test.ts";
const GARBAGE = "tests/controller/garbage_test.ts";
const SERVER = "server/artifacts/routes_test.ts";
const UPLOAD = "server/artifacts/upload_test.ts";
const CP = "cli/commands/cp_test.ts";
const SAVE_ARTIFACTS = "executor/after_main/save_artifacts_test.ts";
const LIVE_LOGS = "executor/after_main/live_logs_test.ts";
const ZSTD = "lib/artifacts/formats/zstd_test.ts";
const CP_UP = "cli/upload/upload_test.ts";
const ARTIFACT = "cli/commands/artifact_test.ts";

/** All cases, by id. */
export const ARTIFACT_CASES: Readonly<Record<string, ArtifactCase>> = {
  "AR-01": { behavior: "A file of 1 KiB is returned unchanged, without leftover partial files.", contract: true },
  "AR-02": { behavior: "An empty file is preserved.", contract: true },
  "AR-03": {
    behavior: "Empty folders are preserved, also nested ones.",
    contract: true,
    tests: [[TRANSFER, "(AR-03)"]],
  },
  "AR-04": {
    behavior: "2,500 objects are listed and deleted completely, without objects of similar prefixes.",
    contract: true,
  },
  "AR-05": { behavior: "The trailing slash distinguishes a file and a folder with the same name.", contract: true },
  "AR-06": { behavior: "A folder is deleted without others whose names start with its name.", contract: true },
  "AR-07": { behavior: "A folder is the same with and without a trailing slash.", contract: true },
  "AR-08": { behavior: "A key with any characters is kept unchanged.", contract: true },
  "AR-09": {
    behavior: "Keys that paths would normalize are kept, or the store's refusal is reported.",
    contract: true,
  },
  "AR-10": { behavior: "An object whose name leads out of its folder is refused, with its name.", contract: true },
  "AR-11": {
    behavior: "The marker object of a folder is not a file in it.",
    contract: true,
    tests: [[TRANSFER, "(AR-11)"]],
  },
  "AR-12": {
    behavior: "Unusual file names survive the round trip, or the error names them; no file is silently omitted.",
    tests: [[TRANSFER, "(AR-12)"], [FOREIGN, "a name that is not UTF-8 is reported"]],
  },
  "AR-13": {
    behavior: "A file and a folder with the same name in a folder are an error.",
    tests: [[TRANSFER, "(AR-13)"]],
  },
  "AR-14": { behavior: "Smaller content replaces larger content completely.", contract: true },
  "AR-15": { behavior: "Earlier objects in a folder stay, and are counted.", tests: [[TRANSFER, "(AR-15)"]] },
  "AR-16": {
    behavior: "Links in a folder are replaced by their targets, or refused with their names.",
    tests: [[TRANSFER, "(AR-16)"]],
  },
  "AR-17": {
    behavior: "An unreadable file is an error that names it.",
    tests: [[TRANSFER, "(AR-17)"], [
      TRANSFER,
      "save: a file that is deleted while its folder is saved is an error that names it (AR-17)",
    ]],
  },
  "AR-18": {
    behavior: "5 GB are transferred with at most 64 MB of additional memory.",
    lacks: "a measurement and no test: `deno task bench artifacts --content big:5e9` (docs/performance.md)",
  },
  "AR-19": { behavior: "Files of about the size of a part are returned unchanged.", contract: true },
  "AR-20": {
    behavior: "Our objects and those of other clients are interchangeable; parts grow if there would be too many.",
    contract: true,
    tests: [["lib/stores/s3/settings_test.ts", "(AR-20, AR-21)"]],
  },
  "AR-21": {
    behavior: "`ARTIFACT_S3_UPLOAD_THREADS` is the number of concurrent part uploads.",
    tests: [["lib/stores/s3/settings_test.ts", "(AR-20, AR-21)"]],
  },
  "AR-22": {
    behavior: "Readers see either the old content or the new one.",
    contract: true,
    tests: [[TRANSFER, "(AR-22)"]],
  },
  "AR-23": {
    behavior: "At most four inputs are loaded at once.",
    tests: [[STAGE, "(AR-23)"], [STAGE, "stageTemplate: loads the artifacts of one plugin sequentially"]],
  },
  "AR-24": { behavior: "Concurrent saves of one folder do not interfere with each other.", contract: true },
  "AR-25": { behavior: "Byte ranges of a file can be read.", contract: true },
  "AR-26": {
    behavior: "A folder is streamed as tar.gz.",
    tests: [[TRANSFER, "(AR-26)"], [SERVER, "(AR-26)"]],
  },
  "AR-27": { behavior: "An aborted stream ends at once, without side effects.", contract: true },
  "AR-30": {
    behavior: "A nonexistent key is missing; an optional input is omitted.",
    contract: true,
    tests: [[TRANSFER, "(AR-30)"], [
      STAGE,
      "stageTemplate: skips a missing optional artifact and fails for a missing required one",
    ]],
  },
  "AR-31": { behavior: "A missing bucket is distinguished from a missing key.", contract: true },
  "AR-32": { behavior: "Unreadable content is forbidden, not missing.", contract: true },
  "AR-33": { behavior: "A refusal without s3:ListBucket names the missing permission.", tests: [[S3, "(AR-33)"]] },
  "AR-34": { behavior: "A wrong secret is refused at once, with the store's message.", contract: true },
  "AR-35": {
    behavior: "The message names a missing secret.",
    tests: [[S3_KEYS, "s3 credentials: a key pair that is incomplete, or a missing secret, is named in the error"]],
  },
  "AR-36": { behavior: "White space around access keys is ignored.", contract: true },
  "AR-37": {
    behavior: "Temporary credentials are renewed once; expired static ones are refused.",
    tests: [[S3, "s3: an expired temporary token is renewed once, and the request is repeated"], [
      S3,
      "s3: expired static keys are an error after one request, with the store's message",
    ]],
  },
  "AR-38": {
    behavior: "Roles, web identities and machines provide temporary credentials.",
    tests: [[S3_KEYS, "a role is assumed"], [
      S3_KEYS,
      "s3 credentials: temporary keys are renewed five minutes before they expire, with the current token in the file",
    ], [
      S3_KEYS,
      "s3 credentials: a token is requested from an EC2 machine first; without one, there are no credentials",
    ]],
  },
  "AR-39": {
    behavior: "The keys of a location have priority.",
    tests: [[S3_KEYS, "s3 credentials: the keys of a location take precedence, and no other source is used"]],
  },
  "AR-40": {
    behavior: "Azure: account key, SAS, default credentials, or a message about the required ones.",
    tests: [["lib/stores/azure/credentials_test.ts", "a shared access signature"], [
      "lib/stores/azure/credentials_test.ts",
      "azureCredentials: without a key and without default credentials, the error names the required fields",
    ]],
  },
  "AR-41": {
    behavior: "GCS: service accounts and default credentials; other types are refused.",
    tests: [[
      "lib/stores/gcs/credentials_test.ts",
      "googleCredentials: other kinds of credentials are rejected with their type, and never shown",
    ], [
      "lib/stores/gcs/credentials_test.ts",
      "without a secret",
    ]],
  },
  "AR-42": {
    behavior: "No credential is printed anywhere.",
    tests: [["executor/credentials_stay_secret_test.ts", "(AR-42)"], [
      "tests/advisories/cve_2025_62157_test.ts",
      "contain no credentials of a store",
    ]],
  },
  "AR-43": {
    behavior: "Queries of URLs are redacted; user names and passwords become a header.",
    tests: [[HTTP, "http: a status is an error of the matching kind, with the URL but without its query"], [
      HTTP,
      "http: a name and password in the URL are sent as a header and never shown",
    ]],
  },
  "AR-44": {
    behavior: "Half a pair of keys is an error.",
    tests: [[S3_KEYS, "s3 credentials: a key pair that is incomplete, or a missing secret, is named in the error"], [
      OSS,
      "oss: an incomplete or missing key pair is rejected before any request",
    ]],
  },
  "AR-50": {
    behavior: "An interrupted transfer resumes, or is repeated.",
    contract: true,
    tests: [[TRANSFER, "(AR-50)"]],
  },
  "AR-51": {
    behavior: "A truncated body is retried; five in a row are an error without a file.",
    tests: [[TRANSFER, "(AR-51)"]],
  },
  "AR-52": {
    behavior: "A stalled server is given up, a slow one is not.",
    tests: [[NET, "openNet: a stalled server fails the request"]],
  },
  "AR-53": {
    behavior: "Requests to an overloaded server are retried with increasing delays.",
    contract: true,
    tests: [[RETRY, "waits one second"], [
      S3,
      "s3: an interrupted part is sent again with increasing delays, other parts are not",
    ]],
  },
  "AR-54": {
    behavior: "`Retry-After` is honored, up to one minute.",
    contract: true,
    tests: [[RETRY, "retrying() honors the delay that a store requests, up to a minute"]],
  },
  "AR-55": { behavior: "Transient and permanent errors are distinguished.", contract: true },
  "AR-56": {
    behavior: "A corrupted byte, in transit or in the store, is detected.",
    contract: true,
    tests: [[TRANSFER, "(AR-56)"], [S3, "content that differs from the object's own SHA-256"]],
  },
  "AR-57": {
    behavior: "After a lost or failed final response, the object itself decides.",
    tests: [[S3, "s3: the object itself shows whether it exists if the last response is lost or an error"]],
  },
  "AR-58": {
    behavior: "An aborted upload is removed; uploads of others are not.",
    contract: true,
    tests: [[S3, "s3: an upload that is stopped is aborted"], [
      "local/artifacts/killed_writer_test.ts",
      "killed writer: its upload leaves no object",
    ]],
  },
  "AR-59": {
    behavior: "A keep-alive connection that the server closed is replaced without an error.",
    contract: true,
    tests: [[NET, "openNet: retries a request"]],
  },
  "AR-60": {
    behavior: "A failed page is requested again, and a cyclic list ends.",
    tests: [
      [TRANSFER, "(AR-60)"],
      [S3, "s3: a failing second page of a list is an error, not the end of the list"],
      [S3, "s3: a list whose pages form a cycle, or that never ends, is an error"],
    ],
  },
  "AR-61": {
    behavior: "A wrong clock is corrected, once.",
    tests: [[S3, "s3: corrects a clock skew of 20 minutes by the store's clock, once"]],
  },
  "AR-62": {
    behavior: "An unreachable server is retried, and given up after one minute.",
    tests: [[STAGE, "stageTemplate: retries when a store is temporarily unreachable"]],
  },
  "AR-63": {
    behavior: "Invalid certificates are named, and caSecret fixes those of unknown authorities.",
    tests: [["lib/base/net/dial_test.ts", "dial: given authorities replace"]],
  },
  "AR-64": {
    behavior: "A redirect to another region is followed once.",
    tests: [[S3, "s3: follows a response that names another region once, with a new signature"]],
  },
  "AR-65": {
    behavior: "Proxies are used, except for hosts in NO_PROXY.",
    tests: [["lib/base/net/proxy_test.ts", "NO_PROXY"]],
  },
  "AR-66": {
    behavior: "A full disk is reported with sizes, and leaves no file.",
    tests: [["lib/artifacts/transfer/full_disk_test.ts", "(AR-66)"]],
  },
  "AR-70": {
    behavior: "A missing bucket is created, even if another client creates it first.",
    tests: [[S3, "s3: creates a missing bucket, encrypted, if configured; one created concurrently is accepted"]],
  },
  "AR-71": {
    behavior: "Buckets with object locks accept uploads, and a refused deletion is reported.",
    tests: [[
      S3,
      "s3: a locked object is written with a checksum, and a rejected deletion (${code}) is reported after one request (AR-71)",
    ], [
      S3,
      "s3: a bucket created with object locks requests them, and an object locked meanwhile is not overwritten (AR-71)",
    ]],
  },
  "AR-72": {
    behavior: "A customer-provided key is required to read, and is derived as in Argo.",
    contract: true,
    tests: [
      [S3, "a customer's key differs per object"],
      ["tests/artifacts/argo_exchange_test.ts", "(AR-72)"],
    ],
  },
  "AR-73": {
    behavior: "The store encrypts as requested.",
    contract: true,
    tests: [[S3, "s3: encryption is requested by headers, only if enabled"]],
  },
  "AR-74": {
    behavior: "Buckets are addressed by host or by path.",
    tests: [[S3, "s3: ${JSON.stringify(settings)} is requested as ${expected}"]],
  },
  "AR-75": {
    behavior: "Endpoints are used as written, or refused with their text.",
    tests: [[S3, "is rejected with an error that names it, without a request"]],
  },
  "AR-76": {
    behavior: "Content types follow the extensions of keys; versions count.",
    contract: true,
    tests: [[
      "lib/artifacts/content_type_test.ts",
      "contentTypeOf: returns the type of the key's extension, and binary data by default",
    ]],
  },
  "AR-80": {
    behavior: "Files, folders and compression levels.",
    tests: [[ARCHIVES, "tarGz() compresses with the given level"], [
      "executor/after_main/save_artifacts_test.ts",
      "as tgz or zip, and a file unchanged",
    ]],
  },
  "AR-81": { behavior: "Modes are preserved, except set-uid.", tests: [[FOREIGN, "modes without set-uid"]] },
  "AR-82": {
    behavior: "Hard links become copies; pipes are reported; sparse files stay small.",
    tests: [[
      FOREIGN,
      "tarGz() warns about pipes and sockets, copies hard links, and packs 200 MB of zeros into little space",
    ]],
  },
  "AR-83": {
    behavior: "Long names and unusual times are exchanged with GNU tar in both directions.",
    tests: [
      [FOREIGN, "long names, times before 1970"],
      [HUGE, "writes the size of a file of more than 8 GiB"],
      [HUGE, "reads the size of a file of more than 8 GiB"],
    ],
  },
  "AR-84": {
    behavior: "Archives of GNU tar, bsdtar, Python and others can be read.",
    tests: [
      [ARCHIVES, "untar() unpacks archives of tar, compressed or not, with hard links and long names"],
      [FOREIGN, "reads what bsdtar writes"],
      [ARGO, "untar() unpacks Argo's archives: a file, and a folder with links, modes and empty folders"],
    ],
  },
  "AR-85": {
    behavior: "Members of gzip are concatenated; trailing bytes are reported; a truncated archive is an error.",
    tests: [[FOREIGN, "reads several members of gzip"]],
  },
  "AR-86": {
    behavior: "Archives are distinguished from similar content.",
    tests: [[ARCHIVES, "beginsLikeTarGz()"], [
      STAGE,
      "stageTemplate: does not unpack an archive with `archive: none`, nor a file that is not an archive",
    ]],
  },
  "AR-87": { behavior: "A single entry gets the artifact's name.", tests: [[TRANSFER, "(AR-87)"]] },
  "AR-88": {
    behavior: "Names that lead out of the archive are refused.",
    tests: [[ARCHIVES, "${kind}: an entry named ${name} is rejected, and nothing is written there"]],
  },
  "AR-89": { behavior: "No link in an archive leads outside.", tests: [[HOSTILE, "nothing outside changes"]] },
  "AR-90": {
    behavior: "Hard links refer to existing entries, or are refused.",
    tests: [[HOSTILE, "nothing outside changes"]],
  },
  "AR-91": { behavior: "Entries with the same name do not mix.", tests: [[HOSTILE, "nothing outside changes"]] },
  "AR-92": {
    behavior: "Folders without write permission get their modes at the end.",
    tests: [["lib/base/confined/tree_test.ts", "sets the modes of read-only folders at the end"]],
  },
  "AR-93": {
    behavior: "Decompression bombs stop at a limit that the message names.",
    tests: [
      [HOSTILE, "untar: stops a gzip bomb when its ratio exceeds the limit, before the disk is full"],
      [HOSTILE, "more entries than the limit"],
      [HOSTILE, "gunzip: rejects an endless name in the header of a gzip file after a limit"],
    ],
  },
  "AR-94": {
    behavior: "zip archives of every size, also with other programs.",
    tests: [
      [ARCHIVES, "${kind}: a folder is unpacked with its files, modes, links and long names"],
      [FOREIGN, "70,000 entries that Python and unzip() read"],
      [FOREIGN, "a file of more than 4 GiB so that Python"],
    ],
  },
  "AR-95": {
    behavior: "zip archives of Argo, and damaged ones.",
    tests: [[ARCHIVES, "a damaged archive is an error"], [
      ARGO,
      "unzip() unpacks Argo's archives: a file with an absolute name, and a folder",
    ]],
  },
  "AR-96": {
    behavior: "Modes are changed recursively, but never through links.",
    tests: [[STAGE, "stageTemplate: sets the mode of an artifact, and recursively with recurseMode"]],
  },
  "AR-97": {
    behavior: "Main reads staged inputs as any user.",
    tests: [[
      SUPERVISOR,
      "supervisor: stages raw artifacts before main starts, also in volumes, readable by every user (IL-28, IL-81)",
    ], [STAGE, "stageTemplate: artifacts of a plugin are usable for every user (IL-82)"]],
  },
  "AR-100": {
    behavior: "Links that main creates never lead the executor to its own files.",
    tests: [[POD, "auxiliary container: cannot be led to its own files by"], [POD, "leads outside of main's volumes"]],
  },
  "AR-101": {
    behavior: "Inputs at, below and above mounts do not affect the user's files.",
    tests: [[
      STAGE,
      "stageTemplate: fills a volume that is mounted at an artifact's path and replaces existing entries",
    ], [
      POD,
      "auxiliary container: does not stage an input through a link into a read-only volume, nor remove an output there",
    ]],
  },
  "AR-102": {
    behavior: "Only staged files are removed.",
    tests: [[
      POD,
      "auxiliary container: does not stage an input through a link into a read-only volume, nor remove an output there",
    ]],
  },
  "AR-103": {
    behavior: "A location with only a key is completed from the archive location.",
    tests: [[LOCATION, "relocate: completes a key from the archive's location, and keeps a full location"], [
      LOCATION,
      "relocate: rejects locations that would lose fields, and keys without an archive",
    ]],
  },
  "AR-104": {
    behavior: "Templates of keys are resolved.",
    tests: [["lib/engine/pod/parts/archive_location_test.ts", "the repository's for an artifact with only a key"]],
  },
  "AR-105": {
    behavior: "Repositories are resolved once, and stored.",
    tests: [[
      "tests/controller/artifact_repository_test.ts",
      "artifact repository: the default of the namespace and one that a workflow refers to are found in",
    ]],
  },
  "AR-106": {
    behavior: "Logs are archived according to repository, template and workflow.",
    tests: [["lib/engine/pod/parts/archive_location_test.ts", "archivesLogs: true if the repository requires it"], [
      SUPERVISOR,
      "left no log (IL-41)",
    ], [
      "tests/controller/reports_test.ts",
      "report: logs of the executor are added to the outputs of main, each under its own seal",
    ]],
  },
  "AR-107": { behavior: "subPath leads down from a key, never up.", tests: [[LOCATION, "withSubPath:"]] },
  "AR-108": {
    behavior: "Argo's artifact examples run on the embedded store.",
    lacks:
      "no unit test, as they take images of registries: `deno task suite examples` and `deno task suite conformance` run them",
  },
  "AR-109": {
    behavior: "Artifacts of a failed main are saved, unless the template disables it.",
    tests: [[SUPERVISOR, "(AR-109)"]],
  },
  "AR-110": {
    behavior: "A pod that is being terminated aborts uploads in time, and reports it.",
    tests: [[SUPERVISOR, "supervisor: on termination, cancels an upload in time and completes the report (IL-59)"]],
  },
  "AR-111": {
    behavior: "All artifacts that can be saved are saved, even if another one fails.",
    tests: [[
      "executor/after_main/save_artifacts_test.ts",
      "saveArtifacts: saves the existing artifacts and reports every missing one",
    ]],
  },
  "AR-112": {
    behavior: "Secrets with any name are mounted.",
    tests: [["lib/engine/pod/parts/volumes_test.ts", "a secret whose name is invalid for volumes"]],
  },
  "AR-120": {
    behavior: "Revisions in every form.",
    tests: [[GIT, "git: a revision is a branch, tag, hash, abbreviated hash, or full ref, also without depth"], [
      GIT,
      "refspecs of `fetch`",
    ]],
  },
  "AR-121": {
    behavior: "A depth is respected.",
    tests: [[GIT, "git: a depth applies to a revision, and an older revision is found nevertheless"]],
  },
  "AR-122": {
    behavior: "A single branch is fetched, by its name.",
    tests: [[GIT, "a single branch is fetched alone"]],
  },
  "AR-123": {
    behavior: "Submodules are fetched, without credentials for other hosts.",
    tests: [[
      GIT,
      "git: submodules are fetched recursively, also relative ones, and other hosts receive no credentials",
    ]],
  },
  "AR-124": {
    behavior: "SSH keys and known hosts.",
    tests: [[SSH, "with a key of each kind"], [SSH, "is refused with its fingerprint"]],
  },
  "AR-125": {
    behavior: "Hooks and protocols that run programs are disabled; empty repositories are accepted.",
    tests: [[GIT, "hooks and protocols"], [GIT, "an empty repository"], [
      "scripts/build_git_test.ts",
      "executor image: a TLS server is trusted through an authority of the image, or a configured one",
    ]],
  },
  "AR-126": {
    behavior: "An interrupted pack is fetched again.",
    tests: [[GIT, "git: an unavailable server is a transient error, and a missing repository is `missing`"]],
  },
  "AR-127": {
    behavior: "Redirects receive no secret, and the content is sent again.",
    tests: [[HTTP, "http: a redirect of a download to another host receives no secrets, nor does a redirect back"], [
      HTTP,
      "follows 307 and 308",
    ]],
  },
  "AR-128": {
    behavior: "OAuth 2 and client certificates.",
    tests: [[HTTP, "http: an OAuth 2 token is fetched once for many files, and again when it expires or is rejected"], [
      HTTP,
      "http: a certificate together with OAuth 2 is rejected before any request",
    ]],
  },
  "AR-129": { behavior: "A PUT has a content length.", tests: [[HTTP, "a stream is uploaded with its length"]] },
  "AR-130": {
    behavior: "Data templates list the objects of stores.",
    tests: [["executor/data/data_test.ts", "data: a missing key, and a result above the size limit, are errors"], [
      "executor/data/data_test.ts",
      "data: a store that cannot list objects, and one without a driver, are errors",
    ], ["executor/data/data_test.ts", "(AR-130)"]],
  },
  "AR-131": {
    behavior: "All calls of plugins.",
    tests: [
      [PLUGIN, "plugin: finds, lists, streams and deletes artifacts"],
      [PLUGIN, "plugin: a large stream is complete in both directions, and a plugin sends no more than is read"],
      [PLUGIN, "plugin: loads a folder with all its files, whose sizes plugins do not report"],
    ],
  },
  "AR-132": {
    behavior: "Plugins that are missing, refuse or crash.",
    tests: [[PLUGIN, "without capabilities"], [
      PLUGIN,
      "plugin: a missing artifact is missing, a rejected one is forbidden, and no error shows its configuration",
    ]],
  },
  "AR-133": {
    behavior: "Two plugins have a sidecar each.",
    tests: [["lib/engine/pod/parts/plugin_containers_test.ts", "(IL-02)"], [
      "executor/before_main/artifact_plugins_test.ts",
      "artifactPluginSidecar: ignores SIGTERM and ends when its signal file requests it",
    ]],
  },
  "AR-134": {
    behavior: "Failover of name nodes; force; Kerberos with a keytab and with a credential cache; a wrong realm.",
    tests: [
      [HDFS, "hdfs: finds the active name node of several, also after a failover"],
      [HDFS, "hdfs: replaces a file only if force is set, and leaves no temporary file"],
      [
        HDFS_RPC,
        "hdfs: finds the active name node of several over RPC, also after a failover",
      ],
      [
        "lib/store-hdfs/rpc_harms_test.ts",
        "hdfs: an exception of the active name node is reported by name, and the standby is not asked",
      ],
      [
        HDFS_KERBEROS,
        "hdfs: a keytab logs in by Kerberos, and calls are sealed as strongly as the name node supports (AR-134)",
      ],
      [HDFS_KERBEROS, "hdfs: a credential cache is used if there is no keytab (AR-134)"],
      [HDFS_KERBEROS, "a wrong realm"],
    ],
  },
  "AR-135": {
    behavior: "Lifecycle rules of others stay; temporary credentials.",
    tests: [[OSS, "oss: a lifecycle rule is added to other rules, once per key"], [OSS, "the role of a machine"]],
    lacks: "more than 5 GB: the stand-in keeps in memory what it is given; that files go in parts is asked (AR-19)",
  },
  "AR-140": {
    behavior: "The three strategies of garbage collection, each when it is due.",
    tests: [[GARBAGE, "(AR-140)"]],
  },
  "AR-141": {
    behavior: "Folders and missing objects are deleted, without objects of similar prefixes.",
    contract: true,
    tests: [[S3, "(AR-141)"]],
  },
  "AR-142": { behavior: "Pod and task equal Argo's.", tests: [[GARBAGE, "(AR-142)"]] },
  "AR-143": { behavior: "A refused pod is requested again.", tests: [[GARBAGE, "(AR-143)"]] },
  "AR-144": {
    behavior: "A failed deletion is reported; force waits for all pods.",
    tests: [[GARBAGE, "(AR-144)"], ["executor/garbage/delete_artifacts_test.ts", "(AR-144)"]],
  },
  "AR-145": { behavior: "A lost pod is replaced.", tests: [[GARBAGE, "(AR-145)"]] },
  "AR-146": {
    behavior: "Many artifacts are distributed over several tasks.",
    tests: [["tests/scenarios/garbage_test.ts", "(AR-146)"]],
  },
  "AR-147": {
    behavior: "Artifacts that cannot be deleted do not keep their workflow.",
    tests: [[GARBAGE, "(AR-147)"]],
  },
  "AR-148": { behavior: "No finalizer blocks a deletion permanently.", tests: [[GARBAGE, "(AR-148)"]] },
  "AR-149": { behavior: "Restarts have no effect.", tests: [[GARBAGE, "(AR-149)"]] },
  "AR-155": {
    behavior: "No path leads out of an artifact.",
    tests: [[SERVER, "artifacts: a path cannot leave the artifact"]],
  },
  "AR-156": {
    behavior: "File names are sent as headers; ranges are supported.",
    tests: [[SERVER, "fileHeaders: a name that is not a valid header value is encoded"], [
      SERVER,
      "artifacts: serves a byte range",
    ]],
  },
  "AR-157": {
    behavior: "Fifty downloads of 1 GB need 200 MB.",
    tests: [[SERVER, "(AR-157)"]],
    lacks: "files of 40 MiB stand for those of 1 GB",
  },
  "AR-158": {
    behavior: "cp downloads what exists, and continues after errors.",
    tests: [
      [CP, "cp: copies every output artifact"],
      [CP, "cp: reports missing and deleted artifacts"],
      [CP, "cp --missing: resumes an interrupted copy"],
      [CP, "cp: copies up to four artifacts concurrently"],
    ],
  },
  "AN-03": {
    behavior:
      "An object that already exists at the key is not uploaded again, and only keys in templates can be requested.",
    contract: true,
    tests: [
      [S3, "(AN-03)"],
      [S3, "s3: an object ${what} is written again"],
      [TRANSFER, "(AN-03)"],
      ["executor/after_main/save_artifacts_test.ts", "(AN-03)"],
    ],
  },
  "AN-04": {
    behavior: "Downloads and uploads resume, also after a restart of their container.",
    contract: true,
    tests: [
      [TRANSFER, "load: an interrupted download resumes with increasing delays (AR-50)"],
      [TRANSFER, "(AN-04)"],
      [STAGE, "(AN-04)"],
      [S3, "(AN-04)"],
    ],
  },
  "AN-05": {
    behavior: "Archives are compressed with zstd if an annotation requests it, and detected by their first bytes.",
    tests: [
      [SAVE_ARTIFACTS, "saveArtifacts: compresses tar archives of"],
      ["executor/pod/compression_test.ts", "templateForMain: returns the text unchanged without zstd"],
      [TRANSFER, "save: a tar.gz that is compressed again with zstd has the same content, and a mark"],
      [TRANSFER, "load: a tar compressed with zstd by others is a file, unless the artifact declares it as tar"],
      [ZSTD, "unzstd() rejects content that is truncated anywhere"],
      [ZSTD, "untar() stops a small zstd archive that expands too much, and names the limit"],
      ["ui/model/artifacts/unzstd_test.ts", "lists the files of a zstd archive"],
    ],
  },
  "AN-07": {
    behavior: "cp copies in both directions, several files at once, by name patterns, without a server.",
    tests: [
      [CP, "cp: copies up to four artifacts concurrently"],
      [
        ARTIFACT,
        "filters by node, template and name with *",
      ],
      [CP_UP, "cp: uploads a file to the key of an address"],
      [CP_UP, "cp: uploads folders"],
      [
        CP_UP,
        "cp: uploads four files concurrently",
      ],
      [CP_UP, "cp: Ctrl-C aborts a multipart upload"],
    ],
  },
  "AN-09": {
    behavior: "Logs are uploaded while they grow; small ones cause no additional request.",
    contract: true,
    tests: [
      [LIVE_LOGS, "live logs: a small log is uploaded once, after main has ended"],
      [LIVE_LOGS, "live logs: a growing log is appended to in its store while main runs"],
      [LIVE_LOGS, "live logs: a log is uploaded again when main rewrote it or the stored object changed"],
      [LIVE_LOGS, "live logs: a store without append receives the log once, after main has ended"],
      [LIVE_LOGS, "live logs: the end of main cancels an upload in progress, and the final upload completes the log"],
      ["tests/controller/reports_test.ts", "stays with the node when its pod is lost"],
    ],
  },
  "AN-10": {
    behavior: "Inputs are cached on a node by key and ETag, for pods with permission to read them.",
    contract: true,
    tests: [
      ["lib/artifacts/transfer/node_cache_test.ts", "(AN-10)"],
      [
        "lib/artifacts/transfer/node_cache_test.ts",
        "NodeCache: a reader without access to the store gets nothing from the cache",
      ],
      ["lib/engine/pod/parts/artifact_cache_volume_test.ts", "(AN-10)"],
      [STAGE, "(AN-10)"],
    ],
  },
  "AN-08": {
    behavior: "Users see which artifacts exist, their sizes and their deletion.",
    tests: [
      [ARTIFACT, "artifact ls: lists the artifacts of the status"],
      [ARTIFACT, "artifact du: requests the size"],
      [ARTIFACT, "artifact garbage: prints when each artifact is deleted"],
      [ARTIFACT, "artifact rm: deletes the named artifacts"],
      [ARTIFACT, "artifact rm: deletes nothing if an artifact is unknown"],
      [SERVER, "server client: reads the size of a file and of a folder, or the error"],
      [SERVER, "server client: deletes only the given artifact, or reports the error"],
      [SERVER, "artifacts: deletion requires permission to update the workflow and to read the store's secrets"],
    ],
  },
  "AR-159": {
    behavior: "Input beyond a limit is refused before it is read.",
    tests: [[UPLOAD, "upload: a file that is too large or incomplete is rejected and not kept"], [
      UPLOAD,
      "upload: without permission, the file is not read",
    ]],
  },
};
