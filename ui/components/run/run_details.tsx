/** The details of a run: its source and creator, times, inputs and outputs, and labels. */
import type { ComponentChildren } from "preact";
import type { Workflow } from "@tiphys/model/api";
import type { Prices } from "../../api/source.ts";
import { costOf, moneyText, useText } from "../../model/cost.ts";
import { durationText, elapsedMillis, momentText } from "../../model/duration.ts";
import type { Page } from "../../model/place.ts";
import { actorOf, creatorOf, originsOf, outputParametersOf } from "../../model/run/run_details.ts";
import * as words from "../../model/text/en/run_details.ts";
import * as shared from "../../model/text/en/shared.ts";
import { Facts } from "./facts.tsx";

interface Props {
  readonly run: Workflow;
  readonly prices: Prices | undefined;
  readonly now: number;
  readonly hrefOfPage: (page: Page) => string;
  readonly hrefOfLabel: (label: string) => string;
  /** The address of the list of runs of the same workflow. */
  readonly relatedRunsHref: string;
}

export function RunDetails({ run, prices, now, hrefOfPage, hrefOfLabel, relatedRunsHref: kinHref }: Props) {
  const { metadata, spec, status = {} } = run;
  const took = elapsedMillis(status.startedAt, status.finishedAt, now);
  const cost = costOf(status.resourcesDuration, prices);
  const given = status.storedWorkflowTemplateSpec?.arguments ?? spec.arguments;
  const from = originsOf(run);
  return (
    <section class="cost run-details" aria-label={words.label}>
      <div class="columns">
        <Facts
          facts={{
            [shared.messageField]: status.message && <span class="foreign">{status.message}</span>,
            [words.fromField]: (
              <span class="links">
                {from.map(({ name, page }) => <a key={page.kind} href={hrefOfPage(page)}>{name}</a>)}
                <a href={kinHref}>{words.previousRunsLink}</a>
              </span>
            ),
            [words.creatorField]: creatorOf(run),
            [words.actorField]: actorOf(run),
            [words.createdField]: momentText(metadata.creationTimestamp),
            [shared.startedField]: momentText(status.startedAt),
            [shared.finishedField]: momentText(status.finishedAt),
            [shared.durationField]: took === undefined ? "" : durationText(took),
            [words.estimateField]: status.estimatedDuration ? durationText(status.estimatedDuration * 1000) : "",
            [shared.progressField]: status.progress,
            [words.priorityField]: spec.priority || "",
            [shared.usedField]: status.resourcesDuration && useText(status.resourcesDuration),
            [shared.costField]: cost !== undefined && prices && moneyText(cost, prices),
            [words.accountField]: spec.serviceAccountName,
            [words.namedField]: metadata.uid && <code>{metadata.uid}</code>,
          }}
        />
        <Values heading={shared.parametersField} values={textsOf(given?.parameters)} />
        <Values heading={words.outputsHeading} values={textsOf(outputParametersOf(run))} />
        <Values
          heading={words.labelsHeading}
          values={Object.entries(metadata.labels ?? {}).map(([name, value]) => [
            name,
            <a key={name} href={hrefOfLabel(`${name}=${value}`)} title={words.aboutLabel}>{value || "—"}</a>,
          ])}
        />
        <Values
          heading={words.annotationsHeading}
          values={Object.entries(metadata.annotations ?? {}).filter(isShort)}
        />
      </div>
    </section>
  );
}

/** Longer annotations are written by programs, and remain visible in the manifest. */
const MAX_ANNOTATION_LENGTH = 1_000;

function isShort([, value]: readonly [string, string]): boolean {
  return value.length <= MAX_ANNOTATION_LENGTH;
}

interface NamedValue {
  readonly name: string;
  readonly value?: unknown;
}

function textsOf(parameters: readonly NamedValue[] | undefined): (readonly [string, ComponentChildren])[] {
  return (parameters ?? []).map(({ name, value }) => [name, <pre key={name} class="value">{String(value ?? "")}</pre>]);
}

function Values({ heading, values }: {
  readonly heading: string;
  readonly values: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  if (values.length === 0) return null;
  return (
    <section>
      <h2>{heading}</h2>
      <dl class="facts">
        {values.map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
      </dl>
    </section>
  );
}
