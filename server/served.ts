/** The shared state of all handlers: the server's client, caches and settings. */
import type { AddressPolicy } from "@tiphys/base/net";
import type { ArtifactRepository } from "@tiphys/model/api";
import type { KubeClient } from "@tiphys/kube";
import type { TextWorker } from "@tiphys/language/text_worker";
import type { Log } from "@tiphys/base/log";
import type { NodeCompression, OffloadedNodes } from "@tiphys/model/nodes";
import type { Restriction } from "@tiphys/language/restrictions";
import type { LimitStorage } from "@tiphys/storage/sync_limits";
import type { ArchiveSource } from "./archive/archive_source.ts";
import type { TreeFetcher } from "./artifacts/fetched_tree.ts";
import type { UploadKeys } from "./uploads/upload_key.ts";
import type { EventQueue } from "./events/queue.ts";
import type { WorkflowCopy } from "./workflows/copy.ts";

/** Properties of this server that `/api/v1/info` returns. */
export interface Info {
  readonly managedNamespace?: string | undefined;
  readonly links: readonly Readonly<Record<string, unknown>>[];
  readonly columns: readonly Readonly<Record<string, unknown>>[];
  readonly modals: Readonly<Record<string, boolean>>;
  readonly navColor?: string | undefined;
  readonly prices?: Prices | undefined;
}

/** The price per hour of each resource: of one cpu, one GiB of memory, or one unit of another resource. */
export interface Prices {
  /** The three-letter currency code. */
  readonly currency: string;
  readonly perHour: Readonly<Record<string, number>>;
}

/** The server, as used by its handlers. */
export interface ServerContext {
  /** Uses the server's own credentials. */
  readonly client: KubeClient;
  readonly workflows: WorkflowCopy;
  /** Completed workflows in a database; undefined if none is configured. */
  readonly archive?: ArchiveSource | undefined;
  /** The store of offloaded nodes; if undefined, the database of the archive. */
  readonly offloaded?: OffloadedNodes | undefined;
  /** The compression of nodes that were not compressed before; gzip if undefined. */
  readonly compression?: NodeCompression | undefined;
  /** Semaphore limits in a database; undefined if none is configured, or `enableAPI` is not set. */
  readonly databaseLimits?: LimitStorage | undefined;
  /** Reports whether the values of a label are hidden. */
  readonly isHiddenLabel?: ((key: string) => boolean) | undefined;
  /** Only workflows of this instance are served; if undefined, only workflows without an instance. */
  readonly instanceId?: string | undefined;
  /** Additional headers of artifact responses, set by the administrator. */
  readonly artifactHeaders?: Readonly<Record<string, string>> | undefined;
  /** Fetches artifacts that are folders, and tracks the processes that the server starts. */
  readonly trees: TreeFetcher;
  /** Decides to which store addresses the server may connect, since workflows choose them. */
  readonly reach: AddressPolicy;
  readonly info: () => Info;
  /** The namespace of the controller's own settings. */
  readonly namespace?: string | undefined;
  /** The artifact repository of namespaces without a ConfigMap for it. */
  readonly artifactRepository?: (() => ArtifactRepository | undefined) | undefined;
  /** The fields that users may set in workflows, if the administrator restricts them. */
  readonly restriction?: (() => Restriction | undefined) | undefined;
  /** Signs and verifies the keys of uploads. */
  readonly uploadKeys: UploadKeys;
  /** The maximum size of an upload, in bytes. */
  readonly maxUploadBytes?: number | undefined;
  /** Processes large objects of callers in a separate thread. */
  readonly texts: TextWorker;
  readonly now: () => Date;
  /** Aborted when the server stops. */
  readonly stopping?: AbortSignal | undefined;
  /** Processes events after their requests are answered; if undefined, a request waits for its event. */
  readonly events?: EventQueue | undefined;
  readonly log: Log;
  /** The propagation policy of deletions: what happens to the objects that a workflow owns. */
  readonly propagationPolicy: string;
}
