/** The level of a log line, by its text. Pure. */

/** A level that is highlighted. */
export type LineLevel = "error" | "warning";

/** The maximum number of characters of a line that are read: levels and names of errors are near its start. */
const READ = 400;

const ERROR_WORDS =
  /\b(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE|FAILED)\b|\b(?:Killed|Segmentation fault|core dumped|Out of memory)\b|^npm ERR!|^[EF]\d{4} \d\d:\d\d/;
/** `ValueError: …`, `java.io.IOException`, `Traceback (most recent call last):` */
const EXCEPTION =
  /^\s*(?:Uncaught |Caused by: |Exception in thread |Traceback \(most recent)|^\s*(?:[\w$]+[.:]+)*[A-Z]\w*(?:Error|Exception)(?::|$)/;
/** `error: …`, `panic: …`, `cat: x: No such file or directory` */
const REPORT =
  /^\s*(?:fatal error|error|fatal|panic)\b\s*[:[]|: (?:error:|fatal error:|command not found|not found|no such file or directory|permission denied)/i;
/** `level=error`, `"severity":"ERROR"` */
const ERROR_LEVEL = /\b(?:level|severity|lvl)"?\s*[=:]\s*"?(?:err|fatal|crit|panic|alert|emerg)/i;
const WARNING = /\bWARN(?:ING)?\b|^W\d{4} \d\d:\d\d/;
const WARNING_LEVEL = /^\s*warning\b\s*[:[]|: warning:|\b(?:level|severity|lvl)"?\s*[=:]\s*"?warn/i;

/** Returns the level of a line; undefined if it reports no problem. */
export function levelOf(text: string): LineLevel | undefined {
  const read = text.slice(0, READ);
  if ([ERROR_WORDS, EXCEPTION, REPORT, ERROR_LEVEL].some((pattern) => pattern.test(read))) return "error";
  return WARNING.test(read) || WARNING_LEVEL.test(read) ? "warning" : undefined;
}
