/** Cases of tar and zip archives. */
import type { ArtifactCase } from "./artifact_case.ts";
import { ARCHIVES, ARGO, FOREIGN, HOSTILE, HUGE, STAGE, TRANSFER } from "./places.ts";

export const ARCHIVE_CASES: Readonly<Record<string, ArtifactCase>> = {
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
};
