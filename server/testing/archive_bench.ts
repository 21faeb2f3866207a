/** A server with an archive in a SQLite file, for tests. */
import type { Workflow } from "@tiphys/model/api";
import { OpenArchive, type WorkflowArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import { logDeletionHook } from "@tiphys/service/log_removal";
import { ArchiveSource } from "../archive/archive_source.ts";
import type { AuthModeName } from "../gate/modes.ts";
import { type BenchOptions, NAMESPACE, type ServerBench, serverBench } from "./server_bench.ts";

/** A server, and the archive that its controller would write. */
export interface ArchiveBench extends AsyncDisposable {
  readonly server: ServerBench;
  readonly archive: WorkflowArchive;
}

/** Starts a server with an archive. */
export async function archiveBench(
  modes: readonly AuthModeName[] = ["server"],
  options: BenchOptions = {},
): Promise<ArchiveBench> {
  const folder = await Deno.makeTempDir({ prefix: "archive-" });
  const settings = { archive: true, sqlite: { file: `${folder}/archive.db` } };
  const secret = () => Promise.reject(new Error("a file needs no secret"));
  const archive = await OpenArchive.open(settings, { clock: systemClock, log: silentLog, secret });
  const source = new ArchiveSource({
    settings,
    log: silentLog,
    secret,
    beforeDelete: (workflow, from) => logDeletionHook(server.admin)(workflow, from),
  });
  const server = await serverBench(modes, { archive: source, ...options });
  return {
    server,
    archive,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
      await archive[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A workflow that started in the given minute of 2026-11-01 and ended one second later. */
export function endedWorkflow(name: string, minute: number, more: Partial<Workflow["metadata"]> = {}): Workflow {
  const time = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, minute, second)).toISOString().replace(".000", "");
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: NAMESPACE, uid: `uid-${name}`, creationTimestamp: time(0), labels: {}, ...more },
    spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] },
    status: {
      phase: "Failed",
      startedAt: time(0),
      finishedAt: time(1),
      nodes: {
        [name]: {
          id: name,
          name,
          displayName: name,
          type: "Pod",
          templateName: "main",
          templateScope: `local/${name}`,
          phase: "Failed",
          message: "exit code 1",
          startedAt: time(0),
          finishedAt: time(1),
        },
      },
    },
  };
}
