/** The panel of a part of a manifest's graph: its template, its arguments, and its position in the text. */
import type { ComponentChildren } from "preact";
import type { DAGTask, Template } from "@tiphys/model/api";
import { callsTemplates, templateType, typeTitle } from "@tiphys/model/templates";
import type { DeclaredPart } from "../../model/graph/template_graph.ts";
import * as words from "../../model/text/en/template_graph.ts";
import * as shared from "../../model/text/en/shared.ts";
import { Facts } from "./facts.tsx";
import { Containers } from "./node_panel.tsx";

interface Props {
  readonly label: string;
  readonly part: DeclaredPart;
  /** Links to the lines of the call and the template, and to the object that contains the template. */
  readonly links: ComponentChildren;
  readonly onClose: () => void;
}

export function DeclaredPanel({ label, part: { call, template, object }, links, onClose }: Props) {
  const type = template && templateType(template);
  const task = call && "name" in call ? call : undefined;
  const { depends, dependencies }: Partial<DAGTask> = task ?? {};
  const facts: Readonly<Record<string, ComponentChildren>> = {
    [words.kindField]: template ? type ? typeTitle(type) : words.noKind : words.isUnknown,
    [words.templateField]: template?.name && <code>{object ? `${object.name}/${template.name}` : template.name}</code>,
    [words.afterField]: code(depends ?? dependencies?.join(", ")),
    [words.whenField]: code(task?.when ?? (call && "expression" in call ? call.expression : undefined)),
    [words.itemsField]: code(task?.withParam ?? jsonOf(task?.withSequence) ?? jsonOf(task?.withItems)),
    [words.retriesField]: template?.retryStrategy && retriesText(template.retryStrategy.limit),
    [words.argumentsField]: values(call?.arguments),
    [words.inputsField]: values(template?.inputs),
    [words.outputsField]: values(template?.outputs),
  };
  return (
    <aside class="node-panel" aria-label={words.panelLabel(label)}>
      <header>
        <h2>{label}</h2>
        <button type="button" class="button quiet" aria-label={shared.closeButton} onClick={onClose}>✕</button>
      </header>
      <div class="panel-actions">{links}</div>
      <Facts facts={facts} />
      {template && !callsTemplates(template) && <Containers template={template} />}
    </aside>
  );
}

function code(text: string | undefined) {
  return text && <code>{text}</code>;
}

function jsonOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

function retriesText(limit: string | number | undefined): string {
  return limit === undefined ? words.unlimited : words.timesAtMost(String(limit));
}

/** Parameters and artifacts, one per line, with defaults. */
function values(
  declared:
    | Pick<NonNullable<Template["inputs"]>, "parameters" | "artifacts">
    | Pick<NonNullable<Template["outputs"]>, "parameters" | "artifacts">
    | undefined,
) {
  const lines = [
    ...(declared?.parameters ?? []).map(({ name, value, default: defaultValue, valueFrom }) => {
      const from = value ?? defaultValue ?? (valueFrom && jsonOf(valueFrom));
      return from === undefined ? name : `${name} = ${from}`;
    }),
    ...(declared?.artifacts ?? []).map(({ name, path, from }) => [name, path ?? from].filter(Boolean).join(": ")),
  ];
  return lines.length > 0 && <pre class="value">{lines.join("\n")}</pre>;
}
