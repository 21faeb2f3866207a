/** The comparison of a run with an earlier one: inputs, failures, and durations. */
import { useMemo } from "preact/hooks";
import type { RunQuery } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { Refused } from "../refused.tsx";
import { ComparedView } from "../../components/run/compared_view.tsx";
import { durationText, whenText } from "../../model/duration.ts";
import { lookOfNode } from "../../model/node_look.ts";
import { lookOfRun } from "../../model/phase.ts";
import {
  choicesOf,
  compareRuns,
  type Comparison,
  type Difference,
  originalOf,
  relatedRunsFilter,
  templateFields,
  templateText,
  usualMeasure,
} from "../../model/run/compare.ts";
import { comparedGraph, MAX_COMPARED } from "../../model/run/compared_graph.ts";
import type { RunRef } from "../../model/run/run_view.ts";
import { useAnswer } from "../hooks.ts";
import type { RunScene } from "./run_scene.ts";
import { tookLonger, tookShorter } from "../../model/text/en/compare.ts";
import * as words from "../../model/text/en/compare_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The maximum number of runs that are offered for comparison. */
const COUNT = 50;

export function CompareTab({ scene }: { scene: RunScene }) {
  const app = useApp();
  const { run, namespace, view, change } = scene;
  const kin = relatedRunsFilter(run);
  const text = JSON.stringify(kin);
  const original = originalOf(run);
  const began = run.status?.startedAt ?? run.metadata.creationTimestamp;
  const { answer: others, refetch } = useAnswer(async (signal) => {
    const query: RunQuery = "label" in kin
      ? { namespace, phases: [], labels: [kin.label] }
      : { namespace, phases: [], labels: [], name: { match: "Prefix", text: kin.prefix } };
    const list = async (query: RunQuery, limit: number) =>
      (await app.source.listRuns(query, { offset: 0, limit }, signal)).items;
    // The last success may be far back, and the original of a resubmitted run may have no template.
    return await Promise.all([
      list(query, COUNT),
      list({ ...query, phases: ["Succeeded"], finishedBefore: began }, 1),
      original === undefined
        ? []
        : list({ namespace, phases: [], labels: [], name: { match: "Exact", text: original } }, 1),
    ]);
  }, [namespace, text, original, began]);
  const { value } = others;
  const choices = value.kind === "here" ? choicesOf(run, value.value) : [];
  const listed = view.with === undefined
    ? usualMeasure(run, choices)
    : choices.find(({ metadata }) => metadata.uid === view.with?.uid);
  // A run that a link names may be missing in the lists.
  const chosen: RunRef | undefined = listed
    ? { name: listed.metadata.name, uid: listed.metadata.uid ?? "" }
    : view.with?.name === undefined
    ? undefined
    : view.with;
  if (value.kind === "refused") {
    return <Refused refusal={value.refusal} onAgain={refetch} />;
  }
  if (value.kind === "waiting") return <p class="note">{words.searchingRuns}</p>;
  if (choices.length === 0 && !chosen) {
    return (
      <p class="note empty">
        {words.noOtherRun}
      </p>
    );
  }
  return (
    <section class="compare" aria-label={words.label}>
      <div class="tools">
        <label class="row">
          <span>{words.comparedWithField}</span>
          <select
            value={chosen?.uid ?? ""}
            onChange={(event) => {
              const run = choices.find(({ metadata }) => metadata.uid === event.currentTarget.value);
              change({ with: run && { name: run.metadata.name, uid: run.metadata.uid ?? "" } });
            }}
          >
            {!chosen && <option value="">{words.chooseRun}</option>}
            {chosen && !listed && <option value={chosen.uid}>{chosen.name}</option>}
            {choices.map((choice) => (
              <option key={choice.metadata.uid} value={choice.metadata.uid}>
                {(choice.metadata.name === original ? words.originalRun : words.offeredRun)(
                  choice.metadata.name ?? "",
                  lookOfRun(choice).word,
                  whenText(choice.status?.startedAt, app.now.value),
                )}
              </option>
            ))}
          </select>
        </label>
      </div>
      {view.with !== undefined && !chosen && <p class="note">{words.runNotFound(COUNT)}</p>}
      {chosen && <ComparedRun key={chosen.uid} scene={scene} other={chosen} />}
    </section>
  );
}

function ComparedRun({ scene, other }: { scene: RunScene; other: RunRef }) {
  const app = useApp();
  const { namespace } = scene;
  const { name = "", uid } = other;
  const { answer, refetch } = useAnswer((signal) => app.source.getRun(namespace, name, uid, signal), [
    namespace,
    name,
    uid,
  ]);
  const { value } = answer;
  const comparison = useMemo(
    () => value.kind === "here" ? compareRuns(value.value, scene.run) : undefined,
    [value, scene.run],
  );
  const graph = useMemo(
    () => value.kind === "here" && comparison ? comparedGraph(value.value, scene.run, comparison) : undefined,
    [comparison],
  );
  if (value.kind === "refused") {
    return <Refused refusal={value.refusal} onAgain={refetch} />;
  }
  if (!comparison) return <p class="note">{words.reading(name)}</p>;
  const { parameters, templates, fields, nodes, longer } = comparison;
  const isSame = parameters.length + templates.length + fields.length + nodes.length === 0;
  return (
    <>
      <p class="lead">
        {timeText(longer, name)}
        {isSame && ` ${words.noOtherDifferences}`}
      </p>
      {graph
        ? (
          <ComparedView
            graph={graph}
            now={scene.now}
            other={name}
            name={scene.name}
            node={scene.node}
            fold={scene.view.fold}
            onFold={(fold) => scene.change({ fold })}
            onSelect={(key) => {
              const node = Object.values(scene.run.status?.nodes ?? {}).find((node) => node.name === key);
              // A part of the other run has no node here.
              if (key === undefined || node) scene.change({ nodeId: node?.id });
            }}
          />
        )
        : <p class="note">{words.tooLarge(MAX_COMPARED)}</p>}
      <Values title={shared.parametersField} differences={parameters} />
      {templates.length > 0 && (
        <>
          <h2>{words.templatesHeading}</h2>
          <ul class="plain-list">
            {templates.map((template) => (
              <li key={template.name}>
                <span class="mono">{template.name}</span> <span class="muted">{templateText(template)}</span>
                <TemplateFields of={template} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Values title={words.fieldsHeading} differences={fields} />
      {nodes.length > 0 && <Nodes scene={scene} nodes={nodes} other={name} />}
    </>
  );
}

/** The maximum number of fields of a template that are shown. */
const MAX_FIELDS = 20;

function TemplateFields({ of }: { of: Difference }) {
  const fields = useMemo(() => templateFields(of), [of]);
  if (fields.length === 0) return null;
  return (
    <dl class="facts changed-fields">
      {fields.slice(0, MAX_FIELDS).map(({ name, before, after }) => [
        <dt key={`${name}-name`} class="mono">{name}</dt>,
        <dd key={name} class="mono">{shorten(before)} → {shorten(after)}</dd>,
      ])}
      {fields.length > MAX_FIELDS && <dd class="muted">{shared.andMore(fields.length - MAX_FIELDS)}</dd>}
    </dl>
  );
}

function Values({ title, differences }: { title: string; differences: readonly Difference[] }) {
  if (differences.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th>{shared.nameField}</th>
            <th>{words.beforeField}</th>
            <th>{words.nowField}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ name, before, after }) => (
            <tr key={name}>
              <td class="name">{name}</td>
              <td class="mono">{before ?? <span class="muted">{words.noValue}</span>}</td>
              <td class="mono">{after ?? <span class="muted">{words.noValue}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The maximum number of nodes that are shown, most significant first. */
const MAX_NODES = 200;

function Nodes({ scene, nodes, other }: { scene: RunScene; nodes: Comparison["nodes"]; other: string }) {
  return (
    <>
      <h2>{words.nodesHeading}</h2>
      <table class="compare-nodes">
        <thead>
          <tr>
            <th>{words.nodeField}</th>
            <th>{words.beforeField}</th>
            <th>{words.nowField}</th>
            <th>{words.timeField}</th>
            <th>{words.outputsField}</th>
          </tr>
        </thead>
        <tbody>
          {nodes.slice(0, MAX_NODES).map(({ path, before, after, longer, outputs }) => (
            <tr key={path}>
              <td class="name">
                {after ? <a href={scene.hrefOf({ nodeId: after.id })}>{path}</a> : path}
              </td>
              <td>
                {before ? <PhaseGlyph look={lookOfNode(before)} withWord /> : <span class="muted">{words.noNode}</span>}
              </td>
              <td>
                {after ? <PhaseGlyph look={lookOfNode(after)} withWord /> : <span class="muted">{words.noNode}</span>}
              </td>
              <td class="number">{longer === undefined || longer === 0 ? "" : longerText(longer)}</td>
              <td class="mono">
                {outputs.map(({ name, before, after }) => (
                  <div key={name}>{name}: {shorten(before)} → {shorten(after)}</div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {nodes.length > MAX_NODES && <p class="muted">{words.moreNodes(nodes.length - MAX_NODES, other)}</p>}
    </>
  );
}

function timeText(millis: number | undefined, other: string): string {
  if (millis === undefined) return words.notEnded;
  if (millis === 0) return words.sameDuration(other);
  return (millis > 0 ? words.longerThan : words.shorterThan)(durationText(Math.abs(millis)), other);
}

function longerText(millis: number): string {
  return (millis > 0 ? tookLonger : tookShorter)(durationText(Math.abs(millis)));
}

function shorten(text: string | undefined): string {
  return text === undefined ? words.noValue : text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
