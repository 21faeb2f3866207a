/** Cases of contents: files, folders, keys, sizes and streams. */
import type { ArtifactCase } from "./artifact_case.ts";
import { FOREIGN, SERVER, STAGE, TRANSFER } from "./places.ts";

export const CONTENT_CASES: Readonly<Record<string, ArtifactCase>> = {
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
};
