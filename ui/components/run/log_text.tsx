/** The text of a log line with terminal styles. */
import { spansOf } from "../../model/logs/terminal_text.ts";
import * as words from "../../model/text/en/logs_tab.ts";

/** The text, cut after `max` characters. */
export function LogText({ text, max }: { text: string; max: number }) {
  const isLong = text.length > max;
  const spans = spansOf(isLong ? text.slice(0, max) : text);
  return (
    <>
      {spans.map(({ text, style }, i) =>
        style ? <span key={i} class={style.split(" ").map((name) => `ansi-${name}`).join(" ")}>{text}</span> : text
      )}
      {isLong && <em class="muted">{` ${words.restOfLine(text.length - max)}`}</em>}
    </>
  );
}
