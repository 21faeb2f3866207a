/** The page of one template: its parameters, its latest runs, its manifest, and the submit form. */
import { useActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { MissingRightLines } from "../components/missing_right_lines.tsx";
import { Description } from "../components/markdown.tsx";
import { SubmitLink } from "../components/submit_link.tsx";
import { Tabs } from "../components/tabs.tsx";
import { Refused } from "./refused.tsx";
import { entrypointsOf, fieldsOf } from "../model/submit_form.ts";
import { isChosenAsList } from "../model/chosen_list.ts";
import { type Page, valueOf, withValues } from "../model/place.ts";
import { tabOf } from "../model/object_tabs.ts";
import { missingRightsText, missingRightsTexts } from "../model/run/missing_rights.ts";
import { useAnswer } from "./hooks.ts";
import { lazy, lazyDialog } from "./lazy.tsx";
import { LastRuns } from "./last_runs.tsx";
import { ManifestEditor } from "./editor_part.tsx";
import { StepsOfRuns } from "./steps_of_runs.tsx";
import { SubmitTemplate } from "./submit_template.tsx";
import { useDeleting } from "./use_deleting.tsx";
import { useSaving } from "./use_saving.tsx";
import { useMissingRights } from "./use_missing_rights.ts";
import * as words from "../model/text/en/template_page.ts";
import * as objectPages from "../model/text/en/object_pages.ts";
import * as share from "../model/text/en/share_dialog.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly kind: "WorkflowTemplate" | "ClusterWorkflowTemplate";
  readonly namespace: string;
  readonly name: string;
}

const TemplateGraph = lazy(async () => (await import("./template_graph.tsx")).TemplateGraph);

const ShareDialog = lazyDialog(async () => (await import("./share_dialog.tsx")).ShareDialog);
const ObjectForm = lazy(async () => (await import("./object_form.tsx")).ObjectForm);

const TABS = ["summary", "graph", "spec", "metadata", "manifest", "runs", "steps"] as const;
const SPEC_WAY = ["spec"] as const;

export function TemplatePage({ kind, namespace, name }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  const { answer, refetch, setAnswer } = useAnswer(
    (signal) => app.source.getTemplate(kind, namespace, name, signal),
    [kind, namespace, name],
  );
  const saving = useSaving(kind, namespace, name, setAnswer);
  const isCluster = kind === "ClusterWorkflowTemplate";
  const list: Page = isCluster ? { kind: "cluster-templates" } : { kind: "templates", namespace };
  const deleting = useDeleting({
    key: `${kind}/${namespace}/${name}`,
    name,
    about: objectPages.ofTemplate,
    async remove() {
      await app.source.deleteTemplate(kind, namespace, name);
      app.go({ page: list, query: [] });
    },
  });
  const change = (values: Parameters<typeof withValues>[1]) =>
    app.go({ ...app.place.value, query: withValues(app.place.value.query, values) });
  const hrefOf = (values: Parameters<typeof withValues>[1]) =>
    app.hrefOf({ ...app.place.value, query: withValues(query, values) });
  const { value: lacks } = useMissingRights(kind, namespace, name);
  useActions([{ name: words.submitAction(name), key: "s", run: () => change({ sidePanel: "submit" }) }], [name]);
  const { value } = answer;
  if (value.kind === "waiting") return <p class="coming">{shared.loadingNamed(name)}</p>;
  if (value.kind === "refused") {
    return <Refused refusal={value.refusal} onAgain={refetch} isPage />;
  }
  const template = value.value;
  const label = `workflows.argoproj.io/${isCluster ? "cluster-workflow-template" : "workflow-template"}=${name}`;
  const tab = tabOf(TABS, valueOf(query, "tab"));
  return (
    <article>
      <nav class="crumbs" aria-label={shared.crumbsLabel}>
        <a href={app.hrefOf({ page: list, query: [] })}>{words.listLink}</a>
        <span class="muted">{isCluster ? words.clusterScope : namespace}</span>
      </nav>
      <header class="page-head">
        <h1>{name}</h1>
        <span class="badge">{isCluster ? words.clusterScope : words.namespaceScope}</span>
        <span class="row end">
          <SubmitLink
            word={shared.submitButton}
            href={hrefOf({ sidePanel: "submit" })}
            lack={missingRightsText(lacks, "submit")}
          />
          <a class="button" href={hrefOf({ sidePanel: "share" })}>{share.shareButton}</a>
          {deleting.button(missingRightsText(lacks, "delete"))}
        </span>
      </header>
      <MissingRightLines
        texts={missingRightsTexts(lacks, {
          submit: shared.submitButton,
          delete: shared.deleteButton,
          update: objectPages.saveButton,
        })}
      />
      {deleting.shown}
      {saving.bar}
      <Tabs label={words.partsLabel} words={TAB_WORDS} current={tab} hrefOf={(name) => hrefOf({ tab: name })} />
      {tab === "summary" && <Summary template={template} />}
      {tab === "graph" && (
        <TemplateGraph
          object={template}
          namespace={namespace}
          lineHref={(line) => hrefOf({ tab: "manifest", line: String(line), node: undefined })}
        />
      )}
      {(tab === "spec" || tab === "metadata") && (
        <ObjectForm
          key={tab}
          part={tab === "spec" ? "parameters" : "metadata"}
          object={template}
          specWay={SPEC_WAY}
          lack={missingRightsText(lacks, "update")}
          onSave={(object) => saving.save(object, template)}
          onAgain={refetch}
        />
      )}
      {tab === "manifest" && (
        <ManifestEditor
          label={objectPages.manifestOf(name)}
          object={template}
          action={objectPages.saveButton}
          lack={missingRightsText(lacks, "update")}
          newest={() => app.source.getTemplate(kind, namespace, name)}
          onSend={async (object) => {
            await saving.save(object, template);
          }}
        />
      )}
      {tab === "runs" && <LastRuns namespace={namespace} label={label} />}
      {tab === "steps" && <StepsOfRuns runs={{ namespace, phases: [], labels: [label] }} />}
      {valueOf(query, "sidePanel") === "submit" && (
        <SubmitTemplate
          kind={kind}
          namespace={namespace}
          name={name}
          spec={template.spec}
          lack={missingRightsText(lacks, "submit")}
          onClose={() => change({ sidePanel: undefined })}
        />
      )}
      {valueOf(query, "sidePanel") === "share" && (
        <ShareDialog
          link={hrefOf({ sidePanel: undefined })}
          name={name}
          namespace={namespace}
          runs={{ label }}
          onClose={() => change({ sidePanel: undefined })}
        />
      )}
    </article>
  );
}

const TAB_WORDS: Readonly<Record<typeof TABS[number], string>> = {
  summary: objectPages.summaryTab,
  graph: objectPages.graphTab,
  spec: shared.parametersField,
  metadata: objectPages.metadataTab,
  manifest: objectPages.manifestTab,
  runs: objectPages.lastRunsTab,
  steps: objectPages.stepsTab,
};

function Summary({ template: { spec, metadata } }: { template: Parameters<typeof entryOf>[0] }) {
  const entrypoint = entryOf({ spec, metadata });
  const fields = fieldsOf(spec, entrypoint);
  return (
    <>
      <Description metadata={metadata} />
      <h2>{shared.parametersField}</h2>
      {fields.length === 0 && <p class="muted">{words.noParameters}</p>}
      {fields.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{shared.nameField}</th>
              <th>{words.usuallyField}</th>
              <th>{words.oneOfField}</th>
              <th>{words.aboutField}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <td class="mono">{field.name}</td>
                <td class="mono" data-head={words.usuallyField}>
                  {field.usual ?? <span class="muted">{words.requiredValue}</span>}
                </td>
                <td class="mono" data-head={words.oneOfField}>
                  {field.choices && (
                    <>
                      {field.choices.join(", ")}{" "}
                      {isChosenAsList(field.choices, field.usual ?? "", field.usual ?? "") && (
                        <span class="muted">{words.multipleValues}</span>
                      )}
                    </>
                  )}
                </td>
                <td class="long">{field.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>{words.templatesHeading}</h2>
      <ul class="plain-list">
        {(spec.templates ?? []).map((template) => (
          <li key={template.name}>
            <span class="mono">{template.name}</span>
            {template.name === entrypoint && <span class="badge">{words.entrypointBadge}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function entryOf(
  { spec }: {
    spec: Parameters<typeof entrypointsOf>[0];
    metadata: { annotations?: Record<string, string> | undefined };
  },
) {
  return entrypointsOf(spec)[0] ?? "";
}
