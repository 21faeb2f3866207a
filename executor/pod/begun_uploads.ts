/** Uploads that were begun, each as a file of the container's own scratch volume: that outlives the container, and main does not see it. */
import type { BegunUploads } from "../../lib/artifact/mod.ts";
import { Folder, openFile, readBounded } from "../../lib/confined/mod.ts";

const FOLDER = "/tmp/tiphys/uploads";

/** The most bytes of what is said of an upload, and the most uploads: more were not begun at once. */
const MOST_BYTES = 16_384;
const MOST_UPLOADS = 1000;

/** The uploads of a container; nothing is there until one is begun. */
export function begunUploads(root: string): BegunUploads {
  const path = `${root}${FOLDER}`;
  return {
    get(name) {
      return unlessNotThere(() => {
        using folder = Folder.open(path);
        using held = folder.hold(fileOf(name));
        if (!held) return undefined;
        using file = openFile(held, "an upload");
        return new TextDecoder().decode(readBounded(file, MOST_BYTES, "an upload"));
      });
    },
    put(name, said) {
      unlessNotThere(() => {
        Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
        using folder = Folder.open(path);
        folder.remove(fileOf(name));
        if (folder.names().length >= MOST_UPLOADS) return;
        using file = folder.createOpen(fileOf(name), 0o600);
        file.writeSync(new TextEncoder().encode(said));
      });
    },
    forget(name) {
      unlessNotThere(() => {
        using folder = Folder.open(path);
        folder.remove(fileOf(name));
      });
    },
  };
}

function fileOf(name: string): string {
  return `${name}.json`;
}

/** What cannot be read or written is as if it were not there: no upload fails for it, one is begun anew. */
function unlessNotThere<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
