/** Words of the advice about a run. */
import { listed, plural } from "../en.ts";

export const deadline = "Nothing ends it when it hangs: a time limit does";
export const ttl = "It stays in the cluster until somebody deletes it; the archive can keep it instead";
export const pods = "Its pods stay as long as it does, on disks and in the cluster's memory";
export const root = "Its containers run as whom their images say, which is root for most";
/** Templates that ask for no memory: some by name, and how many more. */
export const requests = (names: readonly string[], more: number) =>
  `${listed(names, more)} ${
    plural(names.length + more, "asks", "ask")
  } for no memory: any node takes them, and a full one ends them first`;
