/** The drawer of a run: what the list has no room for. */
import type { Workflow } from "../../lib/api/mod.ts";
import type { Prices } from "../api/source.ts";
import { costOf, moneyText, useText } from "../model/cost.ts";
import { momentText } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { creatorOf } from "../model/run/run_details.ts";
import * as words from "../model/text/en/run_drawer.ts";
import * as shared from "../model/text/en/shared.ts";
import { PhaseGlyph } from "./glyph.tsx";
import { About } from "./markdown.tsx";

interface Props {
  readonly run: Workflow;
  readonly href: string;
  readonly prices: Prices | undefined;
  readonly onClose: () => void;
}

/** The drawer. */
export function RunDrawer({ run, href, prices, onClose }: Props) {
  const { metadata, spec, status = {} } = run;
  const parameters = spec.arguments?.parameters ?? [];
  const { resourcesDuration } = status;
  const creator = creatorOf(run);
  const cost = costOf(resourcesDuration, prices);
  const resources = [
    ...(resourcesDuration ? [[shared.usedField, useText(resourcesDuration)] as const] : []),
    ...(cost !== undefined && prices ? [[shared.costField, moneyText(cost, prices)] as const] : []),
  ];
  return (
    <aside class="drawer" aria-label={words.drawerLabel(metadata.name ?? "")}>
      <header>
        <h2>
          <a href={href}>{metadata.name}</a>
        </h2>
        <button type="button" class="button plain" aria-label={shared.closeButton} onClick={onClose}>✕</button>
      </header>
      <PhaseGlyph look={lookOfRun(run)} withWord />
      <About metadata={metadata} />
      {status.message && <p class="words">{status.message}</p>}
      <dl class="facts">
        <dt>{shared.namespaceField}</dt>
        <dd>{metadata.namespace}</dd>
        <dt>{shared.startedField}</dt>
        <dd>{momentText(status.startedAt) || words.notYet}</dd>
        <dt>{shared.finishedField}</dt>
        <dd>{momentText(status.finishedAt) || words.notYet}</dd>
        {status.progress && <dt>{shared.progressField}</dt>}
        {status.progress && <dd>{status.progress}</dd>}
        {creator && <dt>{words.creatorField}</dt>}
        {creator && <dd>{creator}</dd>}
        {spec.workflowTemplateRef && <dt>{words.templateField}</dt>}
        {spec.workflowTemplateRef && <dd>{spec.workflowTemplateRef.name}</dd>}
      </dl>
      <Pairs title={shared.parametersField} pairs={parameters.map(({ name, value }) => [name, String(value ?? "")])} />
      <Pairs title={words.labelsHeading} pairs={Object.entries(metadata.labels ?? {})} />
      <Pairs title={words.resourcesHeading} pairs={resources} areWords />
    </aside>
  );
}

interface PairsProps {
  readonly title: string;
  readonly pairs: readonly (readonly [string, string])[];
  /** Whether values are words for people, and not texts of a manifest. */
  readonly areWords?: boolean;
}

function Pairs({ title, pairs, areWords = false }: PairsProps) {
  if (pairs.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl class={areWords ? "pairs in-words" : "pairs"}>
        {pairs.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}=`}>{value}</dd>])}
      </dl>
    </section>
  );
}
