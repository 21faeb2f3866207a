/** Lines that came, taken into the store of their log where they are new. */
import type { LogBatch, PlainLogLines } from "../../api/source.ts";
import type { LogStore } from "./log_store.ts";
import { afterTime, type LogResume, splitTime, timeLength } from "./resume.ts";

/** Takes lines in; false when the store has no room left. */
export function takeIn(batch: LogBatch, store: LogStore, resume: LogResume): boolean {
  if (batch.kind === "plain") return takePlain(batch, store, resume);
  for (const { podName, content } of batch.lines) {
    const { time, text } = splitTime(content);
    if (resume.isNew(podName, time) && !store.append(podName, time, text)) return false;
  }
  return true;
}

/** The same without a text for each line: a million of them come within a second or two. */
function takePlain({ bytes, text, places }: PlainLogLines, store: LogStore, resume: LogResume): boolean {
  let pod = "";
  for (let at = 0; at < places.length; at += 4) {
    const [podFrom, podTo, from, to] = [places[at]!, places[at + 1]!, places[at + 2]!, places[at + 3]!];
    // Most lines are of the pod of the line before.
    if (podTo - podFrom !== pod.length || !text.startsWith(pod, podFrom)) pod = text.slice(podFrom, podTo);
    const length = timeLength(text, from);
    if (!resume.isNew(pod, text.slice(from, from + length))) continue;
    const begin = afterTime(text, from + length, length);
    if (!store.appendPlain(pod, bytes.subarray(from, from + length), bytes.subarray(begin, to))) return false;
  }
  return true;
}
