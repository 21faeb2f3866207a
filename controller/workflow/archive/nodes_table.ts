/** The table of offloaded nodes, as the controller uses it. */

/** The key of a stored set of nodes: a workflow, and the version of its nodes. */
export interface Version {
  readonly uid: string;
  readonly version: string;
  readonly namespace: string;
}

/** The table; `lib/storage/archive` documents its methods. */
export interface NodesTable {
  save(version: Version, json: string, now: Date): Promise<void>;
  load(version: Pick<Version, "uid" | "version">): Promise<unknown>;
  listOlderThan(time: Date, after?: Pick<Version, "uid" | "version">): Promise<readonly Version[]>;
  delete(versions: readonly Version[], time: Date): Promise<void>;
}
