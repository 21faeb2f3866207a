/** The drawer of a run, with details that do not fit into the list. */
import type { Workflow } from "@tiphys/model/api";
import type { Prices } from "../api/source.ts";
import { costOf, moneyText, useText } from "../model/cost.ts";
import { durationText, elapsedMillis, momentText } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { creatorOf, type Origin, originsOf, reportedConditionsOf } from "../model/run/run_details.ts";
import * as words from "../model/text/en/after_list.ts";
import * as shared from "../model/text/en/shared.ts";
import { PhaseGlyph } from "./glyph.tsx";
import { Description } from "./markdown.tsx";

interface Props {
  readonly run: Workflow;
  readonly href: string;
  readonly prices: Prices | undefined;
  readonly now: number;
  readonly originHref: (origin: Origin) => string;
  readonly onLabel: (label: string) => void;
  readonly onClose: () => void;
}

export function RunDrawer({ run, href, prices, now, originHref, onLabel, onClose }: Props) {
  const { metadata, spec, status = {} } = run;
  const parameters = spec.arguments?.parameters ?? [];
  const { resourcesDuration } = status;
  const took = elapsedMillis(status.startedAt, status.finishedAt, now);
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
      <Description metadata={metadata} />
      {status.message && <p class="words">{status.message}</p>}
      {reportedConditionsOf(run).map(({ type, message }) => (
        <p key={type} class="note">{words.condition(type, message)}</p>
      ))}
      <dl class="facts">
        <dt>{shared.namespaceField}</dt>
        <dd>{metadata.namespace}</dd>
        <dt>{shared.startedField}</dt>
        <dd>{momentText(status.startedAt) || words.notYet}</dd>
        <dt>{shared.finishedField}</dt>
        <dd>{momentText(status.finishedAt) || words.notYet}</dd>
        {took !== undefined && <dt>{shared.durationField}</dt>}
        {took !== undefined && (
          <dd>
            {!status.finishedAt && status.estimatedDuration
              ? words.durationOfEstimate(wholeSeconds(took), durationText(status.estimatedDuration * 1000))
              : wholeSeconds(took)}
          </dd>
        )}
        {status.progress && <dt>{shared.progressField}</dt>}
        {status.progress && <dd>{status.progress}</dd>}
        {originsOf(run).map((origin) => [
          <dt key={originHref(origin)}>{originField(origin)}</dt>,
          <dd key={`${originHref(origin)}=`}>
            <a href={originHref(origin)}>{origin.name}</a>
          </dd>,
        ])}
        {creator !== undefined && <dt>{words.creatorField}</dt>}
        {creator !== undefined && <dd>{creator}</dd>}
      </dl>
      <Pairs title={shared.parametersField} pairs={parameters.map(({ name, value }) => [name, String(value ?? "")])} />
      <Pairs
        title={words.labelsHeading}
        pairs={Object.entries(metadata.labels ?? {})}
        onChoose={(name, value) => onLabel(`${name}=${value}`)}
      />
      <Pairs title={words.resourcesHeading} pairs={resources} isProse />
    </aside>
  );
}

function originField({ page }: Origin): string {
  switch (page.kind) {
    case "cron":
      return words.cronField;
    case "events":
      return words.bindingField;
    case "run":
      return words.resubmittedField;
    default:
      return words.templateField;
  }
}

function wholeSeconds(millis: number): string {
  return durationText(Math.floor(millis / 1000) * 1000);
}

interface PairsProps {
  readonly title: string;
  readonly pairs: readonly (readonly [string, string])[];
  /** Whether values are prose rather than manifest text. */
  readonly isProse?: boolean;
  /** Filters by a value. */
  readonly onChoose?: (name: string, value: string) => void;
}

function Pairs({ title, pairs, isProse: areWords = false, onChoose }: PairsProps) {
  if (pairs.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl class={areWords ? "pairs in-words" : "pairs"}>
        {pairs.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name}=`}>
            {onChoose
              ? <button type="button" class="label" onClick={() => onChoose(name, value)}>{value}</button>
              : value}
          </dd>,
        ])}
      </dl>
    </section>
  );
}
