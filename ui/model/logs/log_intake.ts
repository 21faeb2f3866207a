/** Adds received lines to the store of a log, without duplicates. */
import type { LogBatch, PlainLogLines } from "../../api/source.ts";
import type { LogStore } from "./log_store.ts";
import { type LogResume, splitTime, textOffset, timeLength } from "./resume.ts";

/** Adds lines; returns false if the store is full. */
export function addBatch(batch: LogBatch, store: LogStore, resume: LogResume): boolean {
  if (batch.kind === "plain") return addPlainLines(batch, store, resume);
  for (const { podName, content } of batch.lines) {
    const { time, text } = splitTime(content);
    if (resume.isNew(podName, time) && !store.append(podName, time, text)) return false;
  }
  return true;
}

/** Does the same without creating a string per line, because a million lines may arrive within seconds. */
function addPlainLines({ bytes, text, places }: PlainLogLines, store: LogStore, resume: LogResume): boolean {
  let pod = "";
  for (let offset = 0; offset < places.length; offset += 4) {
    const [podFrom, podTo, from, to] = [places[offset]!, places[offset + 1]!, places[offset + 2]!, places[offset + 3]!];
    // Most lines are from the same pod as the previous one.
    if (podTo - podFrom !== pod.length || !text.startsWith(pod, podFrom)) pod = text.slice(podFrom, podTo);
    const length = timeLength(text, from);
    if (!resume.isNew(pod, text.slice(from, from + length))) continue;
    const begin = textOffset(text, from + length, length);
    if (!store.appendPlain(pod, bytes.subarray(from, from + length), bytes.subarray(begin, to))) return false;
  }
  return true;
}
