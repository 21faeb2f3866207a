/** The panel of a node: its summary, why it waits, its inputs and outputs, and its containers. */
import type { ComponentChildren } from "preact";
import type { NodeStatus, Parameter, Template } from "@tiphys/model/api";
import type { Reason } from "@tiphys/engine/explain";
import { isRunBy, type TemplateType, templateType } from "@tiphys/model/templates";
import type { Prices } from "../../api/source.ts";
import { costOf, moneyText, useText } from "../../model/cost.ts";
import { artifactsOfNode, type RunArtifact } from "../../model/artifacts/run_artifacts.ts";
import { durationText, elapsedMillis, momentText } from "../../model/duration.ts";
import { lookOfNode } from "../../model/node_look.ts";
import { containersOf, resumerOf } from "../../model/run/node_facts.ts";
import { PANELS, type PanelView } from "../../model/run/run_view.ts";
import * as words from "../../model/text/en/node_panel.ts";
import * as shared from "../../model/text/en/shared.ts";
import { PhaseGlyph } from "../glyph.tsx";
import { Facts } from "./facts.tsx";

interface Props {
  readonly node: NodeStatus;
  readonly attempts: readonly NodeStatus[];
  readonly template: Template | undefined;
  readonly podName: string;
  /** The hosts on which attempts failed. */
  readonly failedOn: readonly string[];
  readonly prices: Prices | undefined;
  readonly reasons: readonly Reason[] | undefined;
  readonly view: PanelView;
  readonly now: number;
  /** The buttons for actions on the node: logs, retry, resume. */
  readonly actions: ComponentChildren;
  readonly onView: (view: PanelView) => void;
  readonly onSelect: (nodeId: string) => void;
  readonly onClose: () => void;
  readonly artifactHref: (artifact: RunArtifact) => string;
  /** Returns the address of the log of a container; undefined if the node has no pod. */
  readonly logHref: ((container: string) => string) | undefined;
}

const TITLES: Readonly<Record<PanelView, string>> = {
  summary: words.summaryTab,
  why: words.whyTab,
  "inputs-outputs": words.inOutTab,
  containers: words.containersTab,
};

export function NodePanel(props: Props) {
  const { node, view, actions, onView, onClose } = props;
  return (
    <aside class="node-panel" aria-label={words.panelLabel(node.displayName ?? node.name)}>
      <header>
        <h2 title={node.name}>{node.displayName ?? node.name}</h2>
        <button type="button" class="button quiet" aria-label={words.closeButton} onClick={onClose}>✕</button>
      </header>
      {actions && <div class="panel-actions">{actions}</div>}
      <div role="tablist" class="tabs small" aria-label={words.tabsLabel}>
        {PANELS.map((panel) => (
          <button
            key={panel}
            type="button"
            role="tab"
            id={`panel-tab-${panel}`}
            aria-selected={panel === view}
            aria-controls="panel-body"
            onClick={() => onView(panel)}
          >
            {TITLES[panel]}
          </button>
        ))}
      </div>
      <div id="panel-body" role="tabpanel" aria-labelledby={`panel-tab-${view}`} tabIndex={0}>
        <Body {...props} />
      </div>
    </aside>
  );
}

function Body(props: Props) {
  switch (props.view) {
    case "summary":
      return <Summary {...props} />;
    case "why":
      return <Why reasons={props.reasons} node={props.node} />;
    case "inputs-outputs":
      return <InputsOutputs node={props.node} artifactHref={props.artifactHref} />;
    case "containers":
      return <Containers {...props} />;
  }
}

function Summary({ node, attempts, podName, failedOn, prices, now, onSelect }: Props) {
  const cost = costOf(node.resourcesDuration, prices);
  const took = elapsedMillis(node.startedAt, node.finishedAt, now);
  const duration = took === undefined ? "" : durationText(took);
  const { memoizationStatus: cache, estimatedDuration } = node;
  const facts: Readonly<Record<string, ComponentChildren>> = {
    [words.phaseField]: <PhaseGlyph look={lookOfNode(node)} withWord />,
    [shared.messageField]: node.message && <span class="foreign">{node.message}</span>,
    [words.resumedByField]: resumerOf(node),
    // For a node that waits for a person, this is the time that it waited.
    [node.type === "Suspend" ? words.waitedField : shared.durationField]:
      !node.finishedAt && duration && estimatedDuration
        ? words.durationOfEstimate(duration, durationText(estimatedDuration * 1000))
        : duration,
    [shared.startedField]: momentText(node.startedAt),
    // A running node has no end.
    [shared.finishedField]: momentText(node.finishedAt),
    [shared.progressField]: node.progress,
    [words.typeField]: node.type,
    [words.templateField]: node.templateRef
      ? `${node.templateRef.name}/${node.templateRef.template}`
      : node.templateName,
    [words.podField]: node.type === "Pod" && <code>{podName}</code>,
    [words.hostField]: node.hostNodeName,
    [words.failedHostsField]: failedOn.join(", "),
    [words.exitCodeField]: node.outputs?.exitCode,
    [words.cacheField]: cache && (cache.hit ? words.cacheHit : words.cacheMiss),
    [words.cacheKeyField]: cache?.key && <code>{cache.key}</code>,
    [words.cacheNameField]: cache?.cacheName && <code>{cache.cacheName}</code>,
    [words.waitsForLockField]: node.synchronizationStatus?.waiting,
    [words.resourcesField]: node.resourcesDuration && useText(node.resourcesDuration),
    [shared.costField]: cost !== undefined && prices && moneyText(cost, prices),
    [shared.nameField]: <code>{node.name}</code>,
    [words.idField]: <code>{node.id}</code>,
  };
  return (
    <>
      <Facts facts={facts} />
      {attempts.length > 0 && (
        <>
          <h3>{words.attemptsHeading}</h3>
          <ol class="attempts">
            {attempts.map((attempt, i) => (
              <li key={attempt.id}>
                <button type="button" class="link" onClick={() => onSelect(attempt.id)}>
                  <PhaseGlyph look={lookOfNode(attempt)} />
                  <span>{words.attempt(i + 1)}</span>
                  <span class="muted">{attempt.message?.split("\n", 1)[0]}</span>
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Why({ reasons, node }: { reasons: readonly Reason[] | undefined; node: NodeStatus }) {
  if (!reasons) return <p class="muted">{words.loadingReasons}</p>;
  const own = reasons.filter((reason) => reason.node === node.name || reason.node?.startsWith(`${node.name}(`));
  if (own.length === 0) {
    return (
      <p class="muted">
        {node.finishedAt ? words.hasFinished : words.noReasonKnown}
      </p>
    );
  }
  return <ReasonList reasons={own} />;
}

/** Reasons, each with the way to unblock it; with node names if they are of several nodes. */
export function ReasonList({ reasons, withNodes = false, runHref }: {
  readonly reasons: readonly Reason[];
  readonly withNodes?: boolean;
  /** Returns the address of a run that blocks the node. */
  readonly runHref?: (namespace: string, name: string) => string;
}) {
  return (
    <ul class="reasons">
      {reasons.map((reason) => (
        <li key={`${reason.code} ${reason.node}`}>
          <strong>{reason.code}</strong> {withNodes && reason.node && <code>{reason.node}</code>} {reason.text}
          {runHref && reason.blocks.flatMap(({ kind, name }) => {
            // The holder of a lock is a run or a node: NAMESPACE/RUN or NAMESPACE/RUN/NODE.
            const [namespace = "", run = ""] = kind === "Holder" ? name.split("/") : [];
            return run === "" ? [] : [" ", <a key={name} class="holder" href={runHref(namespace, run)}>{run}</a>];
          })}
          {reason.unblock && !words.endsByItself(reason.unblock) && (
            <p class="muted">{words.unblockedBy(reason.unblock)}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function InputsOutputs({ node, artifactHref }: Pick<Props, "node" | "artifactHref">) {
  const { inputs, outputs } = node;
  const none = !inputs?.parameters?.length && !inputs?.artifacts?.length && !outputs?.parameters?.length &&
    !outputs?.artifacts?.length && outputs?.result === undefined;
  if (none) return <p class="muted">{words.nothingInOut}</p>;
  return (
    <>
      <Values
        title={words.inputsHeading}
        parameters={inputs?.parameters}
        artifacts={artifactsOfNode(node, "inputs")}
        artifactHref={artifactHref}
      />
      <Values
        title={words.outputsHeading}
        parameters={[
          ...outputs?.parameters ?? [],
          ...(outputs?.result === undefined ? [] : [{ name: "result", value: outputs.result }]),
        ]}
        artifacts={artifactsOfNode(node, "outputs")}
        artifactHref={artifactHref}
      />
    </>
  );
}

function Values({ title, parameters = [], artifacts, artifactHref }: {
  readonly title: string;
  readonly parameters?: readonly Parameter[] | undefined;
  readonly artifacts: readonly RunArtifact[];
  readonly artifactHref: Props["artifactHref"];
}) {
  if (parameters.length + artifacts.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl class="facts">
        {parameters.map(({ name, value, valueFrom }) => [
          <dt key={`${name}-name`}>{name}</dt>,
          <dd key={name}>
            {value === undefined
              ? <span class="muted">{valueFrom?.supplied ? words.waitsForYou : words.noValue}</span>
              : <pre class="value">{value}</pre>}
          </dd>,
        ])}
        {artifacts.map((artifact) => [
          <dt key={`${artifact.name}-artifact`}>{artifact.name}</dt>,
          <dd key={`${artifact.name} artifact`}>
            {artifact.isDeleted
              ? <span class="muted">{words.deletedArtifact}</span>
              : <a href={artifactHref(artifact)}>{words.artifactLink(artifact.name)}</a>}
          </dd>,
        ])}
      </dl>
    </section>
  );
}

/** The containers of a template, or its other work; for a node the actual ones, with links to their logs. */
export function Containers(
  { template, node, logHref }: Pick<Props, "template"> & Partial<Pick<Props, "node" | "logHref">>,
) {
  if (!template) return <p class="muted">{words.templateNotFound}</p>;
  const all = containersOf(template, node);
  const type = templateType(template);
  const other = isRunBy(type, "executor", "agent", "controller") ? type : undefined;
  if (all.length === 0 && other === undefined) return <p class="muted">{words.noContainer}</p>;
  return (
    <>
      {other && <NonContainerWork name={other} template={template} />}
      {all.map(({ name = "main", image, command, args, env, envFrom, resources, source }) => (
        <section key={name}>
          <h3>{name}</h3>
          {logHref && <a href={logHref(name)}>{words.logLink(name)}</a>}
          <Facts
            facts={{
              [words.imageField]: <code>{image}</code>,
              [words.commandField]: command?.length ? <code>{command.map(quoteWord).join(" ")}</code> : "",
              [words.argsField]: linesOf(args),
              [words.sourceField]: linesOf(source?.split("\n")),
              [words.envField]: linesOf([
                ...env?.map((variable) => `${variable.name}=${envValue(variable)}`) ?? [],
                ...envFrom?.map(({ prefix = "", secretRef, configMapRef }) =>
                  `${prefix}*=${
                    secretRef ? words.allOfSecret(secretRef.name ?? "") : words.allOfConfigMap(configMapRef?.name ?? "")
                  }`
                ) ?? [],
              ]),
              [words.requestsField]: amountsText(resources?.requests),
              [words.limitsField]: amountsText(resources?.limits),
            }}
          />
        </section>
      ))}
    </>
  );
}

/** The work of a template without containers of the user. */
function NonContainerWork({ name, template }: { name: TemplateType; template: Template }) {
  const { manifest, ...rest } = (template[name] ?? {}) as { readonly manifest?: string };
  return (
    <section>
      <h3>{name}</h3>
      <Facts
        facts={{
          ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, linesOf(yamlLines(value))])),
          [words.manifestField]: linesOf(manifest?.trimEnd().split("\n")),
        }}
      />
    </section>
  );
}

function yamlLines(value: unknown): readonly string[] {
  return (typeof value === "string" ? value : JSON.stringify(value, null, 2)).split("\n");
}

function amountsText(amounts: Readonly<Record<string, unknown>> | undefined): string {
  return Object.entries(amounts ?? {}).map(([name, amount]) => `${name} ${amount}`).join(", ");
}

/** Quotes a word of a command for a shell. */
function quoteWord(word: string): string {
  return /\s/.test(word) ? `'${word}'` : word;
}

function linesOf(lines: readonly string[] | undefined) {
  return lines?.length ? <pre class="value">{lines.join("\n")}</pre> : "";
}

/** Values from other objects are shown as their source. */
function envValue({ value, valueFrom }: NonNullable<NonNullable<Template["container"]>["env"]>[number]): string {
  if (value !== undefined) return value;
  const { secretKeyRef: secret, configMapKeyRef: config, fieldRef, resourceFieldRef } = valueFrom ?? {};
  if (secret) return words.fromSecret(secret.name ?? "", secret.key);
  if (config) return words.fromConfigMap(config.name ?? "", config.key);
  const field = fieldRef?.fieldPath ?? resourceFieldRef?.resource;
  return field === undefined ? "" : words.fromField(field);
}
