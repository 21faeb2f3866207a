/** Advice about a run; each piece can be dismissed in this browser. */
import { useMemo } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { adviceOf } from "../../model/run/advice.ts";
import { dismissedAdvice } from "../../settings.ts";
import * as words from "../../model/text/en/advice.ts";

/** The list; renders nothing without advice. */
export function RunAdvice({ run }: { run: Workflow }) {
  const advice = useMemo(() => adviceOf(run), [run]);
  const dismissed = dismissedAdvice.value;
  const told = advice.filter(({ subject }) => !dismissed.includes(subject));
  const hidden = advice.length - told.length;
  if (advice.length === 0) return null;
  return (
    <section class="cost advice" aria-label={words.heading}>
      <h2>{words.heading}</h2>
      <ul>
        {told.map(({ subject, text, field }) => (
          <li key={subject}>
            <span>{text}</span>
            <code>{field}</code>
            <button
              type="button"
              class="button plain"
              aria-label={words.dismissLabel(text)}
              onClick={() => dismissedAdvice.value = [...dismissed, subject]}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" class="button plain" onClick={() => dismissedAdvice.value = []}>
          {words.showDismissed(hidden)}
        </button>
      )}
      <p class="muted">{words.defaultsNote}</p>
    </section>
  );
}
