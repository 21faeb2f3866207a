/** A log that is asked for while its run is: who opens a log waits for one answer, not for two. */
import { useMemo } from "preact/hooks";
// What reads logs comes with the page of a run, not after the first answer.
import "../../api/log_lines.ts";
import { begun } from "../../api/begun.ts";
import type { LogBatch, LogQuery, Source } from "../../api/source.ts";
import { type Query, valueOf } from "../../model/place.ts";
import { readRunView } from "../../model/run/run_view.ts";
import { useWhileShown } from "../hooks.ts";

interface Asked {
  readonly container: string | undefined;
  readonly uid: string | undefined;
  readonly stream: AsyncIterable<LogBatch>;
  readonly left: AbortController;
}

/** The log of all pods of one run, until the first who reads it takes it. */
export class EarlyLog {
  #asked: Asked | undefined;

  /** Asks for it. */
  ask(source: Source, namespace: string, name: string, meant: Pick<LogQuery, "container" | "uid">): void {
    this.drop();
    const left = new AbortController();
    const query: LogQuery = { ...meant, follow: true, timestamps: true };
    const stream = begun(source.logs(namespace, name, query, left.signal));
    this.#asked = { container: meant.container, uid: meant.uid, stream, left };
  }

  /** Hands it out once, where it is what is asked for; it is left when the signal is aborted. */
  take({ podName, container, uid, sinceTime }: LogQuery, signal: AbortSignal): AsyncIterable<LogBatch> | undefined {
    const asked = this.#asked;
    if (!asked || podName !== undefined || sinceTime !== undefined) return undefined;
    if (container !== asked.container || uid !== asked.uid) return undefined;
    this.#asked = undefined;
    signal.addEventListener("abort", () => asked.left.abort(signal.reason), { once: true });
    return asked.stream;
  }

  /** Leaves it where nobody took it. */
  drop(): void {
    this.#asked?.left.abort();
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
