/** Cases of downloads, uploads, caches, and the commands for artifacts. */
import type { ArtifactCase } from "./artifact_case.ts";
import {
  ARTIFACT,
  CP,
  CP_UP,
  LIVE_LOGS,
  S3_DIGESTS,
  S3_RESUMED,
  SAVE_ARTIFACTS,
  SERVER,
  STAGE,
  TRANSFER,
  UPLOAD,
  ZSTD,
} from "./places.ts";

export const USER_CASES: Readonly<Record<string, ArtifactCase>> = {
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
      [S3_DIGESTS, "(AN-03)"],
      [S3_DIGESTS, "s3: an object ${what} is written again"],
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
      [S3_RESUMED, "(AN-04)"],
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
