/** The first requests of a page, sent before its scripts are loaded and anything is rendered. */
import { type StartedRequest, startRequest, startStream } from "../api/started_request.ts";
import type { LogBatch, LogQuery, Source } from "../api/source.ts";
import { type PageAddress, valueOf } from "../model/place.ts";
import { runQueryOf, windowOf } from "../model/run_query.ts";

/** A source that returns the result of an early request to the first equal request. */
export interface EarlySource {
  readonly source: Source;
  /** Cancels unused requests, because another page is shown. */
  cancelUnused(): void;
}

/** The query for the log of all pods from its beginning; for a finished run the stream ends by itself. */
function wholeLogQuery({ container, uid }: Pick<LogQuery, "container" | "uid">): LogQuery {
  return { container, uid, follow: true, timestamps: true };
}

/** Requests the rows of a list, or a run and the log that its address shows. */
export function requestEarly(source: Source, { page, query }: PageAddress, onLarge?: () => void): EarlySource {
  const asked = new Map<string, StartedRequest<unknown>>();
  const begin = (question: readonly unknown[], startedRequest: StartedRequest<unknown>) =>
    asked.set(JSON.stringify(question), startedRequest);
  const take = <T>(question: readonly unknown[], signal: AbortSignal | undefined) => {
    const key = JSON.stringify(question);
    const started = asked.get(key) as StartedRequest<T> | undefined;
    asked.delete(key);
    return started?.take(signal);
  };
  if (page.kind === "runs") {
    const question = [runQueryOf(page.namespace, query), windowOf(query)] as const;
    begin(question, startRequest((signal) => source.listRuns(...question, signal)));
  }
  if (page.kind === "run") {
    const question = [page.namespace, page.name, valueOf(query, "uid")] as const;
    begin(question, startRequest((signal) => source.getRun(...question, signal, onLarge)));
    if (valueOf(query, "tab") === "logs" && valueOf(query, "sidePanel") === undefined) {
      const log = [
        page.namespace,
        page.name,
        wholeLogQuery({ container: "main", uid: valueOf(query, "uid") }),
      ] as const;
      begin(log, startStream((signal) => source.logs(...log, signal)));
    }
  }
  return {
    source: {
      ...source,
      listRuns: (runs, window, signal) => take([runs, window], signal) ?? source.listRuns(runs, window, signal),
      getRun: (namespace, name, uid, signal, onLarge) =>
        take([namespace, name, uid], signal) ?? source.getRun(namespace, name, uid, signal, onLarge),
      logs(namespace, name, log, signal) {
        if (log.sinceTime === undefined) {
          const key = JSON.stringify([namespace, name, wholeLogQuery(log)]);
          const early = asked.get(key) as StartedRequest<AsyncIterable<LogBatch>> | undefined;
          asked.delete(key);
          if (early && log.podName === undefined) return early.take(signal);
          // The log of one pod is shown instead.
          early?.cancel();
        }
        return source.logs(namespace, name, log, signal);
      },
    },
    cancelUnused() {
      for (const request of asked.values()) request.cancel();
      asked.clear();
    },
  };
}
