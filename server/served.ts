/** The ground that handlers stand on: the server's own client, its copies and settings. */
import type { Reach } from "@tiphys/base/net";
import type { ArtifactRepository } from "@tiphys/model/api";
import type { KubeClient } from "@tiphys/kube";
import type { TextWorker } from "@tiphys/language/text_worker";
import type { Log } from "@tiphys/base/log";
import type { NodeCompression, NodesElsewhere } from "@tiphys/model/nodes";
import type { Restriction } from "@tiphys/language/restrictions";
import type { LimitKeeper } from "@tiphys/storage/sync_limits";
import type { ArchiveSource } from "./archive/archive_source.ts";
import type { Trees } from "./artifacts/fetched_tree.ts";
import type { UploadKeys } from "./uploads/upload_key.ts";
import type { EventQueue } from "./events/queue.ts";
import type { WorkflowCopy } from "./workflows/copy.ts";

/** Facts about this server, told by `/api/v1/info`. */
export interface Info {
  readonly managedNamespace?: string | undefined;
  readonly links: readonly Readonly<Record<string, unknown>>[];
  readonly columns: readonly Readonly<Record<string, unknown>>[];
  readonly modals: Readonly<Record<string, boolean>>;
  readonly navColor?: string | undefined;
  readonly prices?: Prices | undefined;
}

/** What an hour of each resource costs: of a cpu, of a GiB of memory, of one of any other. */
export interface Prices {
  /** The three letters of a currency. */
  readonly currency: string;
  readonly perHour: Readonly<Record<string, number>>;
}

/** The server as its handlers see it. */
export interface Served {
  /** Acts with the server's own rights. */
  readonly client: KubeClient;
  readonly workflows: WorkflowCopy;
  /** Workflows that are over, in a database; absent where nobody set one up. */
  readonly archive?: ArchiveSource | undefined;
  /** The nodes that workflows have no room for; those in the database of the archive where it is absent. */
  readonly offloaded?: NodesElsewhere | undefined;
  /** The form in which nodes are compressed that were not before; gzip where it is absent. */
  readonly compression?: NodeCompression | undefined;
  /** The limits of semaphores in a database; absent where nobody set one up, or `enableAPI` is not set. */
  readonly databaseLimits?: LimitKeeper | undefined;
  /** Whether the values of a label are told to nobody. */
  readonly isHiddenLabel?: ((key: string) => boolean) | undefined;
  /** Only workflows of this instance are served; those without one where it is absent. */
  readonly instanceId?: string | undefined;
  /** Headers with which artifacts are answered, as administrators set them. */
  readonly artifactHeaders?: Readonly<Record<string, string>> | undefined;
  /** Fetches artifacts that are trees, and knows what runs beside this server. */
  readonly trees: Trees;
  /** Decides which addresses of stores are connected to: workflows name them. */
  readonly reach: Reach;
  readonly info: () => Info;
  /** The namespace of the controller's own settings. */
  readonly namespace?: string | undefined;
  /** The repository of artifacts where no ConfigMap of the namespace names one. */
  readonly artifactRepository?: (() => ArtifactRepository | undefined) | undefined;
  /** What people may set in workflows, where the administrator restricts it. */
  readonly restriction?: (() => Restriction | undefined) | undefined;
  /** Proves who uploaded a file. */
  readonly uploadKeys: UploadKeys;
  /** The most bytes of an upload. */
  readonly maxUploadBytes?: number | undefined;
  /** Processes large objects of callers in a separate thread. */
  readonly texts: TextWorker;
  readonly now: () => Date;
  /** Aborted when the server is to stop. */
  readonly stopping?: AbortSignal | undefined;
  /** Carries events after their requests were answered; without it a request waits for its event. */
  readonly events?: EventQueue | undefined;
  readonly log: Log;
  /** The propagation policy with which workflows are deleted: what becomes of the objects that they own. */
  readonly propagationPolicy: string;
}
