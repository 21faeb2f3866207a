/** The last lines of the log of a pod that failed. */
import { useApp } from "../../app.ts";
import { LogText } from "../../components/run/log_text.tsx";
import { levelOf, type LineLevel } from "../../model/logs/line_level.ts";
import { plainText } from "../../model/logs/terminal_text.ts";
import { valueOf } from "../../model/place.ts";
import { useLiveLog } from "./live_log.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/logs_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The maximum number of log lines that are shown. */
const TAIL = 20;
/** The maximum number of characters of a line that are shown. */
const MAX_LINE_LENGTH = 2_000;

const MARKS: Readonly<Record<LineLevel, string>> = { error: words.errorMark, warning: words.warningMark };

export function LogTail({ scene: { run, namespace, name: runName }, name, podName, container }: {
  readonly scene: RunScene;
  readonly name: string;
  readonly podName: string;
  readonly container: string;
}) {
  const app = useApp();
  const { store, state, version } = useLiveLog(app.source, {
    namespace,
    name: runName,
    uid: run.metadata.uid,
    requestedUid: valueOf(app.place.value.query, "uid"),
    podName,
    container,
    // A step that failed writes nothing more.
    isFinished: true,
    tailLines: TAIL,
  });
  // Reading the version draws the lines that have arrived.
  void version.value;
  const { value } = state;
  if (store.count === 0) {
    const text = value.kind === "refused"
      ? words.logRefused(value.refusal.message)
      : value.kind === "ended"
      ? words.noLog
      : shared.loading;
    return <p class="muted">{text}</p>;
  }
  const first = Math.max(0, store.count - TAIL);
  return (
    <div class="tail" role="group" tabIndex={0} aria-label={words.tailLabel(name)}>
      <ol start={first + 1}>
        {Array.from({ length: store.count - first }, (_, i) => {
          const text = store.text(first + i);
          const level = levelOf(plainText(text));
          return (
            <li key={first + i} class={level}>
              {level && <span class="hidden">{`${MARKS[level]} `}</span>}
              <LogText text={text} max={MAX_LINE_LENGTH} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
