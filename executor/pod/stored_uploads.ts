/**
 * Records of uploads in progress, each a file in the container's scratch volume, which survives a restart of the
 * container and is not mounted in main.
 */
import type { StartedUploads } from "@tiphys/model/artifact";
import { Folder, openFile, readBounded } from "@tiphys/base/confined";

const FOLDER = "/tmp/tiphys/uploads";

/** The maximum size of a record, and the maximum number of records. More uploads never run at the same time. */
const MAX_RECORD_BYTES = 16_384;
const MAX_UPLOADS = 1000;

/** The upload records of a container. The folder is created with the first record. */
export function storedUploads(root: string): StartedUploads {
  const path = `${root}${FOLDER}`;
  return {
    get(name) {
      return ignoringErrors(() => {
        using folder = Folder.open(path);
        using held = folder.openEntry(uploadFileName(name));
        if (!held) return undefined;
        using file = openFile(held, "an upload");
        return new TextDecoder().decode(readBounded(file, MAX_RECORD_BYTES, "an upload"));
      });
    },
    put(name, data) {
      ignoringErrors(() => {
        Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
        using folder = Folder.open(path);
        folder.remove(uploadFileName(name));
        if (folder.names().length >= MAX_UPLOADS) return;
        using file = folder.createAndOpen(uploadFileName(name), 0o600);
        file.writeSync(new TextEncoder().encode(data));
      });
    },
    forget(name) {
      ignoringErrors(() => {
        using folder = Folder.open(path);
        folder.remove(uploadFileName(name));
      });
    },
  };
}

function uploadFileName(name: string): string {
  return `${name}.json`;
}

/** Returns the result of `act`, or undefined if it fails: without a record, the upload simply starts again. */
function ignoringErrors<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
