/** The data of the bench: workflows in a cluster, and the archive of a database. */
import { sql } from "kysely";
import type { PersistenceSettings, Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { connect, type TestServer } from "../../../lib/storage/database/testing/servers.ts";
import { CONFIGMAPS, type KubeClient, PODS, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { dehydrate } from "@tiphys/model/nodes";

/** The namespace of all objects. */
export const NAMESPACE = "argo";
/** The name of the workflow with many nodes, which is also watched and has a log. */
export const BIG = "big";
export const WATCHED = "live-1";

/** The name of the newest of `count` workflows. */
export function newestOf(count: number): string {
  return `live-${count - 1}`;
}

const AT_ONCE = 16;
/** The number of archived workflows per team. */
const OF_A_TEAM = 50;

/** A completed workflow of a typical size. */
function endedWorkflow(name: string, minute: number, nodes = 3): Workflow {
  const time = new Date(Date.UTC(2026, 9, 1) + minute * 60_000).toISOString().replace(".000", "");
  const node = (index: number) => ({
    id: index === 0 ? name : `${name}-${index}`,
    name: index === 0 ? name : `${name}.step-${index}`,
    displayName: index === 0 ? name : `step-${index}`,
    type: index === 0 ? "DAG" : "Pod",
    templateName: index === 0 ? "main" : "step",
    templateScope: `local/${name}`,
    boundaryID: index === 0 ? undefined : name,
    phase: "Succeeded",
    startedAt: time,
    finishedAt: time,
    progress: "1/1",
    resourcesDuration: { cpu: 3, memory: 5 },
    outputs: index === 0 ? undefined : { exitCode: "0", parameters: [{ name: "out", value: `result ${index}` }] },
  });
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: {
      name,
      namespace: NAMESPACE,
      labels: {
        team: "team-0",
        "workflows.argoproj.io/phase": "Succeeded",
        "workflows.argoproj.io/completed": "true",
      },
    },
    spec: {
      entrypoint: "main",
      arguments: { parameters: [{ name: "who", value: "everybody" }] },
      templates: [
        { name: "main", dag: { tasks: [{ name: "step", template: "step" }] } },
        { name: "step", container: { image: "busybox", command: ["echo"], args: ["{{workflow.parameters.who}}"] } },
      ],
    },
    status: {
      phase: "Succeeded",
      startedAt: time,
      finishedAt: time,
      progress: "3/3",
      nodes: Object.fromEntries(
        Array.from({ length: nodes }, (_, index) => node(index)).map((created) => [created.id, created]),
      ),
    },
  } as unknown as Workflow;
}

const SUBMITTED = { team: "submitted" };
/** The label selector of submitted workflows. */
export const OF_SUBMITTED = "team=submitted";

/** The workflow to submit. */
export function submitted(): Workflow {
  const { status: _, ...workflow } = endedWorkflow("any", 0);
  return { ...workflow, metadata: { generateName: "submitted-", namespace: NAMESPACE, labels: SUBMITTED } };
}

/** Creates `count` workflows, one of them with many nodes, and a pod. */
export async function fillCluster(client: KubeClient, count: number, nodes: number): Promise<void> {
  for (let offset = 0; offset < count; offset += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - offset) }, (_, more) => offset + more);
    await Promise.all(
      some.map((index) => client.create(WORKFLOWS, NAMESPACE, endedWorkflow(`live-${index}`, 200_000 + index))),
    );
  }
  await client.create(WORKFLOWS, NAMESPACE, await dehydrate(endedWorkflow(BIG, 1, nodes)));
  await client.create(PODS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${WATCHED}-step`,
      namespace: NAMESPACE,
      labels: { "workflows.argoproj.io/workflow": WATCHED },
      annotations: { "workflows.argoproj.io/node-name": `${WATCHED}.step-1` },
    },
    spec: { containers: [{ name: "main", image: "busybox" }], nodeName: "here" },
  });
  const status = { phase: "Succeeded", containerStatuses: [{ name: "main", state: { terminated: { exitCode: 0 } } }] };
  await client.patch(PODS, NAMESPACE, `${WATCHED}-step`, { status }, "merge", { subresource: "status" });
}

/** The setting `persistence` of a database. */
function persistenceOf({ engine, settings }: TestServer): PersistenceSettings {
  if (engine === "sqlite") return { archive: true, ...settings };
  const named = Object.entries(settings as Record<string, object>)
    .map(([kind, store]) => [kind, { ...store, tableName: "argo_workflows" }]);
  return { archive: true, ...Object.fromEntries(named) };
}

/** Writes the settings that server and controller share, with the database of the archive. */
export async function configureArchive(client: KubeClient, database: TestServer): Promise<void> {
  if (database.engine !== "sqlite") {
    const [user, password] = await Promise.all(["user", "password"].map((key) => database.secret("login", key)));
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "login", namespace: NAMESPACE } };
    const data = { user: btoa(user!), password: btoa(password!) };
    await client.create(SECRETS, NAMESPACE, { ...secret, data });
  }
  const name = "workflow-controller-configmap";
  await client.delete(CONFIGMAPS, NAMESPACE, name).catch(() => {});
  await client.create(CONFIGMAPS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: NAMESPACE },
    data: { persistence: JSON.stringify(persistenceOf(database)) },
  });
}

/** Fills an archive: writes one workflow as the controller does, and lets the database copy its row. */
export async function fillArchive(server: TestServer, count: number): Promise<void> {
  {
    const world = { clock: systemClock, log: silentLog, secret: server.secret };
    await using archive = await OpenArchive.open(persistenceOf(server), world);
    const first = endedWorkflow("archived-0", 0);
    await archive.archive({
      ...first,
      metadata: { ...first.metadata, uid: "archived-uid-0", creationTimestamp: first.status?.startedAt },
    });
  }
  await using database = connect(server);
  const isSqlite = server.engine === "sqlite";
  const numbers = isSqlite
    ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${
      sql.lit(count - 1)
    }) select i from n)`
    : sql`(select i from generate_series(1, ${sql.lit(count - 1)}) as s(i))`;
  const changed = isSqlite
    ? sql`json_set(w.workflow, '$.metadata.name', 'archived-' || n.i, '$.metadata.uid', 'archived-uid-' || n.i)`
    : sql`jsonb_set(jsonb_set(w.workflow, '{metadata,name}', to_jsonb('archived-' || n.i)), '{metadata,uid}', to_jsonb('archived-uid-' || n.i))`;
  const time = (column: string) =>
    isSqlite
      ? sql`strftime('%Y-%m-%d %H:%M:%S', ${sql.ref(column)}, '+' || n.i || ' minutes')`
      : sql`${sql.ref(column)} + n.i * interval '1 minute'`;
  await database.query(async (db) => {
    await sql`insert into argo_archived_workflows (clustername, uid, instanceid, name, namespace, phase, startedat,
      finishedat, creationtimestamp, workflow) select w.clustername, 'archived-uid-' || n.i, w.instanceid,
      'archived-' || n.i, w.namespace, w.phase, ${time("w.startedat")}, ${time("w.finishedat")},
      ${time("w.creationtimestamp")}, ${changed} from argo_archived_workflows w, ${numbers} n`.execute(db);
    await sql`insert into argo_archived_workflows_labels (clustername, uid, name, value) select l.clustername,
      'archived-uid-' || n.i, l.name, case when l.name = 'team' then 'team-' || (n.i / ${sql.lit(OF_A_TEAM)})
      else l.value end from argo_archived_workflows_labels l, ${numbers} n`.execute(db);
    // A database server does this by itself within minutes.
    if (!isSqlite) await sql`vacuum analyze`.execute(db);
  });
}
