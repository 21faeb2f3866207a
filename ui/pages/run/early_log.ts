/** A log that is asked for while its run is: who opens a log waits for one answer, not for two. */
import { useMemo } from "preact/hooks";
// What reads logs comes with the page of a run, not after the first answer.
import "../../api/log_lines.ts";
import { type Begun, begunStream } from "../../api/begun.ts";
import type { LogBatch, LogQuery, Source } from "../../api/source.ts";
import { type Query, valueOf } from "../../model/place.ts";
import { readRunView } from "../../model/run/run_view.ts";
import { wholeLogQuery } from "../early_source.ts";
import { useWhileShown } from "../hooks.ts";

/** The log of all pods of one run, until the first who reads it takes it. */
export class EarlyLog {
  #asked: Pick<LogQuery, "container" | "uid"> & { readonly log: Begun<AsyncIterable<LogBatch>> } | undefined;

  /** Asks for it. */
  ask(source: Source, namespace: string, name: string, meant: Pick<LogQuery, "container" | "uid">): void {
    this.drop();
    const log = begunStream((signal) => source.logs(namespace, name, wholeLogQuery(meant), signal));
    this.#asked = { ...meant, log };
  }

  /** Hands it out once, where it is what is asked for; it is left when the signal is aborted. */
  take({ podName, container, uid, sinceTime }: LogQuery, signal: AbortSignal): AsyncIterable<LogBatch> | undefined {
    const asked = this.#asked;
    if (!asked || podName !== undefined || sinceTime !== undefined) return undefined;
    if (container !== asked.container || uid !== asked.uid) return undefined;
    this.#asked = undefined;
    return asked.log.taken(signal);
  }

  /** Leaves it where nobody took it. */
  drop(): void {
    this.#asked?.log.drop();
    this.#asked = undefined;
  }
}

/** Asks for the log of a run whose page is opened at it. */
export function useEarlyLog(source: Source, namespace: string, name: string, query: Query): EarlyLog {
  const early = useMemo(() => new EarlyLog(), [namespace, name]);
  useWhileShown((signal) => {
    const { tab, log } = readRunView(query, false);
    if (tab !== "logs" || log.nodeId !== undefined) return;
    early.ask(source, namespace, name, { container: log.container, uid: valueOf(query, "uid") });
    signal.addEventListener("abort", () => early.drop(), { once: true });
  }, [early]);
  return early;
}
