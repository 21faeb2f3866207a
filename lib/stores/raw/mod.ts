/** Raw artifacts: their content is in the template. */
import { type Driver, type MakeDriver, StoreError } from "@tiphys/model/artifact";
import { streamOf } from "@tiphys/base/byte_streams";
import { notDeletable, notListable } from "@tiphys/model/artifact/unsupported";

/** Creates the driver of a raw artifact. */
export const makeDriver: MakeDriver = ({ settings }): Driver => {
  const content = new TextEncoder().encode(typeof settings.data === "string" ? settings.data : "");
  return {
    can: { save: false, folders: false, list: false, remove: false },
    find: () => Promise.resolve({ kind: "file", size: content.length }),
    read: (_place, { from = 0, to = content.length }) => Promise.resolve(streamOf(content.slice(from, to))),
    list: () => notListable("raw"),
    write: () => Promise.reject(new StoreError("Raw output artifacts unsupported", "final")),
    remove: () => Promise.reject(notDeletable()),
  };
};
