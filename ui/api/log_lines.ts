/** Lines of logs as they come: hundreds of thousands a second, nearly all of one form, which is read without a parser. */
import { objectOf } from "./read.ts";
import type { LogLine } from "./source.ts";

/** The forms in which servers tell a line, ours and Argo's: what stands before each value. */
const FORMS = [
  { first: 'data: {"result":{"content":"', second: '","podName":"', isPodFirst: false },
  { first: 'data: {"result":{"podName":"', second: '","content":"', isPodFirst: true },
] as const;
const END = '"}}';

/** The line of a message of the usual form whose texts need no unescaping; undefined for every other message. */
export function plainLogLine(message: string): LogLine | undefined {
  const end = message.length - END.length;
  const form = FORMS.find(({ first }) => message.startsWith(first));
  // Without an escape a quote ends a text, so the places of the quotes say that there is nothing else.
  if (!form || !message.endsWith(END) || message.includes("\\")) return undefined;
  const start = form.first.length;
  const middle = message.indexOf('"', start);
  if (!message.startsWith(form.second, middle)) return undefined;
  const next = middle + form.second.length;
  if (message.indexOf('"', next) !== end) return undefined;
  const [one, other] = [message.slice(start, middle), message.slice(next, end)];
  return form.isPodFirst ? { podName: one, content: other } : { podName: other, content: one };
}

/** One line of a log that was read as JSON. */
export function readLogLine(value: unknown): LogLine {
  const { podName, content } = objectOf(value, "a line of a log");
  return {
    podName: typeof podName === "string" ? podName : "",
    content: typeof content === "string" ? content : "",
  };
}
