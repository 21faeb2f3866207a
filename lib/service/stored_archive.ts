/** The archive over its database, with a cluster in which workflows are created again. */
import { textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import type { Cursor, Filters, WorkflowArchive } from "@tiphys/storage/archive";
import { type KubeClient, KubeError } from "@tiphys/kube";
import { parseRequirements } from "@tiphys/base/selector/label_selector";
import { ActionError, formulateResubmit } from "@tiphys/engine/workflow_actions";
import type { ArchivedId, ArchiveQuery, ArchiveService } from "./archive_service.ts";
import { selectorsOf } from "./list.ts";
import { nameSuffix } from "./name_suffix.ts";
import { retryArchived } from "./retry_archived.ts";
import type { ResubmitRequest, RetryRequest, WorkflowPage } from "./service.ts";
import { storedWorkflows, valueOrThrow } from "./stored_objects.ts";

/** The database and the cluster. */
export interface StoredArchiveOptions {
  /** Opens the archive. Called at the first request. */
  readonly open: () => Promise<WorkflowArchive>;
  readonly client: KubeClient;
  readonly now: () => Date;
}

/** Serves the workflows of a database. */
export class StoredArchive implements ArchiveService {
  readonly #options: StoredArchiveOptions;

  constructor(options: StoredArchiveOptions) {
    this.#options = options;
  }

  async list(namespace: string | undefined, query: ArchiveQuery = {}): Promise<WorkflowPage> {
    const archive = await this.#options.open();
    const after = query.continue ? readCursor(query.continue) : undefined;
    const { items, next } = await archive.list({ ...filtersOf(namespace, query), limit: query.limit, after });
    return { items: items.map(storedWorkflow.row), ...(next ? { continue: JSON.stringify(next) } : {}) };
  }

  async get({ uid, namespace }: ArchivedId): Promise<Workflow> {
    const found = await (await this.#options.open()).get(uid);
    if (!found || namespace !== undefined && found.metadata.namespace !== namespace) {
      throw new KubeError("not found", { status: 404, reason: "NotFound" });
    }
    return valueOrThrow(storedWorkflow.read(found));
  }

  async delete(id: ArchivedId): Promise<void> {
    await this.get(id);
    await (await this.#options.open()).delete(id.uid);
  }

  async resubmit(id: ArchivedId, { memoized, priority, parameters }: ResubmitRequest = {}): Promise<Workflow> {
    const { client, now } = this.#options;
    const earlier = await this.get(id);
    const how = { parameters, priority, memoized: memoized ? { suffix: nameSuffix() } : undefined };
    const made = formulateResubmit(earlier, how, now());
    return await storedWorkflows(client).create(earlier.metadata.namespace ?? "", made);
  }

  async retry(id: ArchivedId, options: RetryRequest = {}): Promise<Workflow> {
    const { client, now } = this.#options;
    return await retryArchived(client, await this.get(id), options, { now: now() });
  }

  async labelKeys(namespace?: string): Promise<readonly string[]> {
    return await (await this.#options.open()).labelKeys(namespace);
  }

  async labelValues(key: string, namespace?: string): Promise<readonly string[]> {
    return await (await this.#options.open()).labelValues(key, namespace);
  }
}

function filtersOf(namespace: string | undefined, query: ArchiveQuery): Filters {
  const { labelSelector = "", fieldSelector = "" } = selectorsOf(query);
  return {
    namespace,
    name: query.name,
    namePrefix: query.namePrefix,
    createdAfter: query.createdAfter,
    finishedBefore: query.finishedBefore,
    labels: labelSelector === "" ? [] : parseRequirements(labelSelector),
    and: fieldSelector.split(",").map((term) => term.trim()).filter(Boolean).map(fieldFilter),
  };
}

/** @throws {ActionError} for a field that is not supported. */
function fieldFilter(term: string): Filters {
  const index = term.search(/[=!]/);
  const field = term.slice(0, index).trim();
  const [operator] = /^(?:==|=|!=)/.exec(term.slice(index)) ?? [];
  const value = term.slice(index + (operator?.length ?? 0)).trim();
  const filter = operator === "!=" ? "NotEquals" : "Exact";
  if (index > 0 && operator && field === "metadata.name") return { name: value, nameFilter: filter };
  if (index > 0 && operator && field === "metadata.namespace") return { namespace: value, namespaceFilter: filter };
  throw new ActionError(`unsupported requirement ${term}`);
}

/** @throws {ActionError} for a text that is not a page cursor. */
function readCursor(text: string): Cursor {
  const { startedAt, uid } = textsIn(fieldsOfJson(text), ["startedAt", "uid"]);
  if (startedAt !== undefined && uid !== undefined) return { startedAt, uid };
  throw new ActionError("continue: expected the token of the previous page");
}
