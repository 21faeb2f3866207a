/** The word that somebody saved meanwhile: what of theirs stands in the text now, and where both changed the same. */
import type { Merge, MergeConflict } from "../model/manifest_merge.ts";

interface Props {
  readonly merge: Pick<Merge, "taken" | "conflicts">;
  /** The words of the button that saves. */
  readonly action: string;
  readonly onTakeTheirs: (conflict: MergeConflict) => void;
}

/** The panel. */
export function MergePanel({ merge: { taken, conflicts }, action, onTakeTheirs }: Props) {
  return (
    <section class="card merge" role="alert">
      <h2>Somebody changed it meanwhile</h2>
      {taken.length > 0 && (
        <>
          <p>What they changed stands in your text now:</p>
          <ul class="plain-list mono">{taken.map((place) => <li key={place}>{place}</li>)}</ul>
        </>
      )}
      {conflicts.length > 0 && (
        <>
          <p>You both changed this; yours stays unless you take theirs:</p>
          <ul class="plain-list">
            {conflicts.map((conflict) => (
              <li key={conflict.place}>
                <code class="foreign">{conflict.place}</code>
                <Value of="yours" text={conflict.mine} />
                <Value of="theirs" text={conflict.theirs} />
                <button type="button" class="button" onClick={() => onTakeTheirs(conflict)}>Take theirs</button>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>Nothing was saved. Look at the text, and press {action} again.</p>
    </section>
  );
}

function Value({ of, text }: { of: string; text: string | undefined }) {
  return (
    <span>
      <span class="muted">{`${of} `}</span>
      {text === undefined ? <em>taken away</em> : <code class="foreign">{text}</code>}
    </span>
  );
}
