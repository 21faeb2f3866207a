/** The panel about a conflicting change: their changes that were merged, and fields that both sides changed. */
import type { Merge, MergeConflict } from "../model/manifest_merge.ts";
import * as words from "../model/text/en/editor.ts";

interface Props {
  readonly merge: Pick<Merge, "accepted" | "conflicts">;
  /** The text of the button that saves. */
  readonly action: string;
  readonly onTakeTheirs: (conflict: MergeConflict) => void;
}

export function MergePanel({ merge: { accepted, conflicts }, action, onTakeTheirs }: Props) {
  return (
    <section class="card merge" role="alert">
      <h2>{words.mergeHeading}</h2>
      {accepted.length > 0 && (
        <>
          <p>{words.mergedIntro}</p>
          <ul class="plain-list mono">{accepted.map((place) => <li key={place}>{place}</li>)}</ul>
        </>
      )}
      {conflicts.length > 0 && (
        <>
          <p>{words.conflictsIntro}</p>
          <ul class="plain-list">
            {conflicts.map((conflict) => (
              <li key={conflict.place}>
                <code class="foreign">{conflict.place}</code>
                <Value of={words.yours} text={conflict.mine} />
                <Value of={words.theirs} text={conflict.theirs} />
                <button type="button" class="button" onClick={() => onTakeTheirs(conflict)}>
                  {words.takeTheirsButton}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{words.nothingSaved(action)}</p>
    </section>
  );
}

function Value({ of, text }: { of: string; text: string | undefined }) {
  return (
    <span>
      <span class="muted">{`${of} `}</span>
      {text === undefined ? <em>{words.removedValue}</em> : <code class="foreign">{text}</code>}
    </span>
  );
}
