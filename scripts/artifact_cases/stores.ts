/** Cases of settings that only some stores have, and of git, HTTP, HDFS, OSS and plugins. */
import type { ArtifactCase } from "./artifact_case.ts";
import {
  GIT,
  HDFS,
  HDFS_KERBEROS,
  HDFS_RPC,
  HTTP,
  OSS,
  PLUGIN,
  S3,
  S3_ENCRYPTION,
  S3_SETTINGS,
  SSH,
} from "./places.ts";

export const STORE_CASES: Readonly<Record<string, ArtifactCase>> = {
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
      [S3_ENCRYPTION, "a customer's key differs per object"],
      ["tests/artifacts/argo_exchange_test.ts", "(AR-72)"],
    ],
  },
  "AR-73": {
    behavior: "The store encrypts as requested.",
    contract: true,
    tests: [[S3_ENCRYPTION, "s3: encryption is requested by headers, only if enabled"]],
  },
  "AR-74": {
    behavior: "Buckets are addressed by host or by path.",
    tests: [[S3_SETTINGS, "s3: ${JSON.stringify(settings)} is requested as ${expected}"]],
  },
  "AR-75": {
    behavior: "Endpoints are used as written, or refused with their text.",
    tests: [[S3_SETTINGS, "is rejected with an error that names it, without a request"]],
  },
  "AR-76": {
    behavior: "Content types follow the extensions of keys; versions count.",
    contract: true,
    tests: [[
      "lib/artifacts/content_type_test.ts",
      "contentTypeOf: returns the type of the key's extension, and binary data by default",
    ]],
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
      "follows only the redirects 307 and 308",
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
    tests: [[PLUGIN, "reports no capabilities"], [
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
        "hdfs: an exception of the active name node is reported by name, and no request is sent to the standby",
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
};
