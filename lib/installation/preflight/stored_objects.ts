/**
 * Stored objects that would not run unchanged, checked like files by lint. They are not an obstacle to a takeover,
 * because all others run.
 */
import { API_VERSION } from "@tiphys/model/api";
import {
  classifyError,
  CLUSTER_WORKFLOW_TEMPLATES,
  CRON_WORKFLOWS,
  type KubeClient,
  type KubeObject,
  type Resource,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import { LABEL } from "@tiphys/base/constants";
import { lintObjects } from "@tiphys/service/lint_objects";
import { type Finding, notChecked } from "./finding.ts";

const PAGE_SIZE = 250;
/** The maximum number of reported problems per object, because further ones are usually similar. */
const MAX_PROBLEMS_PER_OBJECT = 5;

/** Checks templates, schedules and unfinished workflows in one namespace or all. */
export async function checkObjects(client: KubeClient, namespace: string | undefined): Promise<Finding[]> {
  const findings: Finding[] = [];
  const templates = await all(client, WORKFLOW_TEMPLATES, namespace, findings);
  const shared = await all(client, CLUSTER_WORKFLOW_TEMPLATES, undefined, findings);
  let looked = 0;
  const look = (objects: readonly KubeObject[]) => {
    looked += objects.length;
    for (const [within, some] of byNamespace(objects)) {
      const beside = [...templates.filter(({ metadata }) => metadata.namespace === within), ...shared];
      findings.push(...problemsOf(some, beside));
    }
  };
  look(templates);
  look(shared);
  for await (const page of pages(client, CRON_WORKFLOWS, namespace, findings)) look(page);
  const unfinished = `!${LABEL.completed}`;
  for await (const page of pages(client, WORKFLOWS, namespace, findings, unfinished)) look(page);
  if (findings.length > 0) return findings;
  const message = `${looked} templates, schedules and unfinished workflows run unchanged`;
  return [{ check: "objects", severity: "ok", subject: namespace ?? "all namespaces", message }];
}

function problemsOf(objects: readonly KubeObject[], stored: readonly KubeObject[]): Finding[] {
  const others = stored.filter((kubeObject) => !objects.includes(kubeObject));
  const told = new Map<string, number>();
  return lintObjects(objects, others).flatMap(({ file, path, message }): Finding[] => {
    const count = (told.get(file) ?? 0) + 1;
    told.set(file, count);
    const { kind, metadata } = objects[Number(file)]!;
    if (count > MAX_PROBLEMS_PER_OBJECT) return [];
    const subject = [kind, metadata.namespace, metadata.name].filter(Boolean).join("/");
    return [{ check: "objects", severity: "warning", subject, path, message }];
  });
}

function byNamespace(objects: readonly KubeObject[]): Map<string | undefined, KubeObject[]> {
  return Map.groupBy(objects, ({ metadata }) => metadata.namespace);
}

async function all(
  client: KubeClient,
  resource: Resource,
  namespace: string | undefined,
  findings: Finding[],
): Promise<KubeObject[]> {
  const found: KubeObject[] = [];
  for await (const page of pages(client, resource, namespace, findings)) found.push(...page);
  return found;
}

/**
 * The objects of a kind page by page; empty if the cluster does not have the kind. Adds a finding if the caller may not
 * list them.
 */
async function* pages(
  client: KubeClient,
  resource: Resource,
  namespace: string | undefined,
  findings: Finding[],
  labelSelector?: string,
): AsyncGenerator<KubeObject[]> {
  let next: string | undefined;
  do {
    try {
      const page = await client.list(resource, namespace, { limit: PAGE_SIZE, continue: next, labelSelector });
      // Items of a list do not contain their kind.
      yield page.items.map((item) => ({ ...item, apiVersion: API_VERSION, kind: resource.kind }));
      next = page.metadata.continue;
    } catch (error) {
      const sort = classifyError(error);
      if (sort === "forbidden") {
        findings.push(notChecked("objects", resource.kind, "list", resource.group, resource.plural));
      } else if (sort !== "notFound") {
        throw error;
      }
      return;
    }
  } while (next);
}
