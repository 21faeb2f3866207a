/** The page of one run. */
import { useApp } from "../../app.ts";
import { LiveDot } from "../../components/live_dot.tsx";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { RefusalCard } from "../../components/refusal_card.tsx";
import { durationText, elapsed, momentText } from "../../model/duration.ts";
import { lookOfPhase, lookOfRun } from "../../model/phase.ts";
import { valueOf } from "../../model/place.ts";
import { useLiveRun } from "../live_run.ts";

/** The page. */
export function RunPage({ namespace, name }: { namespace: string; name: string }) {
  const app = useApp();
  const { run, state, isDeleted } = useLiveRun(namespace, name, valueOf(app.place.value.query, "uid"));
  const now = app.now.value;
  const shown = run.value;
  if (!shown) {
    return state.value.kind === "refused" || state.value.kind === "offline"
      ? <RefusalCard refusal={state.value.refusal} login={app.session.login} />
      : <p class="muted">Loading {name} …</p>;
  }
  const { status = {} } = shown;
  const nodes = Object.values(status.nodes ?? {});
  return (
    <article class="run">
      <header class="page-head">
        <h1>{name}</h1>
        <PhaseGlyph look={lookOfRun(shown)} withWord />
        <span>{durationText(elapsed(status.startedAt, status.finishedAt, now) ?? NaN)}</span>
        <LiveDot state={state.value} now={now} />
      </header>
      {isDeleted.value && <p class="note" role="status">This run was deleted. What you see is the last of it.</p>}
      {status.message && <p class="words">{status.message}</p>}
      <dl class="facts">
        <dt>Namespace</dt>
        <dd>{namespace}</dd>
        <dt>Started</dt>
        <dd>{momentText(status.startedAt)}</dd>
        <dt>Finished</dt>
        <dd>{momentText(status.finishedAt) || "not yet"}</dd>
        <dt>Progress</dt>
        <dd>{status.progress}</dd>
      </dl>
      <h2>Nodes</h2>
      <ul class="nodes">
        {nodes.map((node) => (
          <li key={node.id}>
            <PhaseGlyph look={lookOfPhase(node.phase)} />
            <span>{node.displayName}</span>
            <span class="muted">{node.type}</span>
            <span class="muted">{durationText(elapsed(node.startedAt, node.finishedAt, now) ?? NaN)}</span>
            {node.message && <span class="muted">{node.message}</span>}
          </li>
        ))}
      </ul>
    </article>
  );
}
