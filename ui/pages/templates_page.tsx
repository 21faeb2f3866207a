/** The lists of templates, of a namespace and of the cluster. */
import { useMemo, useRef } from "preact/hooks";
import type { ClusterWorkflowTemplate, WorkflowTemplate } from "@tiphys/model/api";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { DescriptionLine } from "../components/markdown.tsx";
import { TitledName } from "../components/titled_name.tsx";
import { RowSpacer } from "../components/table_parts.tsx";
import { useRowWindow } from "../components/use_row_window.ts";
import { ListFilters, ListHead, NoneFound, RowRuns, useLastRuns } from "./object_list.tsx";
import { Refused } from "./refused.tsx";
import { whenText } from "../model/duration.ts";
import { exampleOf } from "../model/examples.ts";
import { filterAndSort, readList } from "../model/object_list.ts";
import { type Page, valueOf, withValues } from "../model/place.ts";
import { useAnswer } from "./hooks.ts";
import { ManifestEditor } from "./editor_part.tsx";
import { NamespaceChoice } from "./namespace_choice.tsx";
import * as words from "../model/text/en/templates_page.ts";
import * as objectPages from "../model/text/en/object_pages.ts";
import * as shared from "../model/text/en/shared.ts";

type Template = WorkflowTemplate | ClusterWorkflowTemplate;

interface Props {
  readonly kind: "WorkflowTemplate" | "ClusterWorkflowTemplate";
  readonly namespace: string;
}

/** The labels that name the template of a run. */
const LABELS = {
  WorkflowTemplate: "workflows.argoproj.io/workflow-template",
  ClusterWorkflowTemplate: "workflows.argoproj.io/cluster-workflow-template",
} as const;
const NONE: readonly Template[] = [];

export function TemplatesPage({ kind, namespace }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  const choice = readList(query);
  const { labels } = choice;
  const { answer, refetch } = useAnswer<readonly Template[]>(
    (signal) => app.source.listTemplates(kind, namespace, labels, signal),
    [kind, namespace, labels.join(",")],
  );
  const { value } = answer;
  const isCluster = kind === "ClusterWorkflowTemplate";
  const runs = useLastRuns(namespace, LABELS[kind], isCluster);
  const all = value.kind === "here" ? value.value : NONE;
  const shown = useMemo(() => filterAndSort(all, choice), [all, choice.text, choice.sort.by, choice.sort.isDescending]);
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to, above, below } = useRowWindow(body, shown.length, "tr[data-template]");
  const change = (values: Parameters<typeof withValues>[1]) =>
    app.go({ ...app.place.value, query: withValues(query, values) });
  const where = namespace || app.info.value.managedNamespace || "default";
  const newHref = app.hrefOf({ ...app.place.value, query: withValues(query, { sidePanel: "true" }) });
  return (
    <>
      <header class="page-head">
        <h1>{words.heading}</h1>
        <span class="muted number count">{value.kind === "here" && objectPages.shownOf(shown.length, all.length)}</span>
        <NamespaceChoice />
        <a
          class="button primary end"
          href={newHref}
        >
          {words.newButton}
        </a>
      </header>
      <nav class="tabs" aria-label={words.scopeLabel}>
        <Tab page={{ kind: "templates", namespace: isCluster ? "" : namespace }} isOn={!isCluster}>
          {words.namespaceTab}
        </Tab>
        <Tab page={{ kind: "cluster-templates" }} isOn={isCluster}>{words.clusterTab}</Tab>
      </nav>
      <ListFilters choice={choice} />
      {value.kind === "waiting" && <p class="coming">{shared.loading}</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={refetch} />}
      {value.kind === "here" && all.length === 0 && labels.length === 0 && (
        <section class="card">
          <h2>{words.noneYet}</h2>
          <p>{words.about}</p>
          <pre class="words">tiphys {isCluster ? "cluster-template" : "template"} create my-template.yaml</pre>
          <a class="button" href={newHref}>{shared.createOneButton}</a>
        </section>
      )}
      {value.kind === "here" && shown.length === 0 && all.length + labels.length > 0 && <NoneFound />}
      {shown.length > 0 && (
        <table class="templates">
          <thead>
            <tr>
              <ListHead choice={choice} by="name" word={shared.nameField} />
              {!isCluster && namespace === "" && <th>{shared.namespaceField}</th>}
              <th>{shared.parametersField}</th>
              <ListHead choice={choice} by="created" word={words.createdField} />
              <th>{objectPages.lastRunsField}</th>
              <th>{words.aboutField}</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {above > 0 && <RowSpacer key="above" pixels={above} />}
            {shown.slice(from, to).map((template) => (
              <tr key={template.metadata.uid} data-template={template.metadata.name}>
                <td class="name">
                  <TitledName
                    metadata={template.metadata}
                    href={app.hrefOf({ page: pageOf(kind, template), query: [] })}
                  />
                </td>
                {!isCluster && namespace === "" && <td class="muted">{template.metadata.namespace}</td>}
                <td class="muted long" data-head={words.parametersField}>
                  {firstNamesText((template.spec.arguments?.parameters ?? []).map(({ name }) =>
                    name
                  ))}
                </td>
                <td class="muted number" data-head={words.createdField}>
                  {whenText(template.metadata.creationTimestamp, app.now.value)}
                </td>
                <td>
                  <RowRuns
                    runs={runs.get(`${isCluster ? "" : template.metadata.namespace ?? ""}/${template.metadata.name}`)}
                  />
                </td>
                <td class="message">
                  <DescriptionLine metadata={template.metadata} />
                </td>
              </tr>
            ))}
            {below > 0 && <RowSpacer key="below" pixels={below} />}
          </tbody>
        </table>
      )}
      {valueOf(query, "sidePanel") === "true" && (
        <Dialog
          title={words.newButton}
          onClose={() => change({ sidePanel: undefined })}
          isWide
        >
          <ManifestEditor
            label={words.manifestLabel}
            object={exampleOf(kind, where)}
            action={objectPages.createButton}
            onSend={async (object) => {
              const given = object as Template;
              const into = given.metadata?.namespace ?? where;
              await app.source.createTemplate(kind, into, object);
              const made = { ...given, metadata: { ...given.metadata, namespace: into } } as Template;
              app.go({ page: pageOf(kind, made), query: [] });
            }}
          />
        </Dialog>
      )}
    </>
  );
}

/** The maximum number of parameters that a row names; the rest is counted. */
const NAMED = 3;

function firstNamesText(names: readonly string[]): string {
  const first = names.slice(0, NAMED).join(", ");
  return names.length > NAMED ? `${first} ${shared.andMore(names.length - NAMED)}` : first;
}

function pageOf(kind: Props["kind"], { metadata }: Template): Page {
  const name = metadata.name ?? "";
  return kind === "ClusterWorkflowTemplate"
    ? { kind: "cluster-template", name }
    : { kind: "template", namespace: metadata.namespace ?? "", name };
}

function Tab({ page, isOn, children }: { page: Page; isOn: boolean; children: string }) {
  const app = useApp();
  return (
    <a class="tab" href={app.hrefOf({ page, query: [] })} aria-current={isOn ? "page" : undefined}>
      {children}
    </a>
  );
}
