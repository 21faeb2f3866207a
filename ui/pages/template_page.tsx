/** One template: what it takes, what it was lately, its manifest, and the form that submits it. */
import { useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import { useActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { LackLines } from "../components/lack_lines.tsx";
import { About } from "../components/markdown.tsx";
import { SubmitLink } from "../components/submit_link.tsx";
import { Tabs } from "../components/tabs.tsx";
import { Refused } from "./refused.tsx";
import { entrypointsOf, fieldsOf } from "../model/submit_form.ts";
import { isChosenAsList } from "../model/chosen_list.ts";
import { type Page, valueOf, withValues } from "../model/place.ts";
import { lackText, lackTexts } from "../model/run/lacks.ts";
import { useAnswer } from "./hooks.ts";
import { LastRuns } from "./last_runs.tsx";
import { ManifestEditor } from "./manifest_editor.tsx";
import { StepsOfRuns } from "./steps_of_runs.tsx";
import { SubmitTemplate } from "./submit_template.tsx";
import { useLacks } from "./use_lacks.ts";

interface Props {
  readonly kind: "WorkflowTemplate" | "ClusterWorkflowTemplate";
  readonly namespace: string;
  readonly name: string;
}

const TABS = ["summary", "manifest", "runs", "steps"] as const;

/** The page. */
export function TemplatePage({ kind, namespace, name }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  const { answer, again } = useAnswer(
    (signal) => app.source.getTemplate(kind, namespace, name, signal),
    [kind, namespace, name],
  );
  const isDeleting = useSignal(false);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const change = (values: Parameters<typeof withValues>[1]) =>
    app.go({ ...app.place.value, query: withValues(app.place.value.query, values) });
  const hrefOf = (values: Parameters<typeof withValues>[1]) =>
    app.hrefOf({ ...app.place.value, query: withValues(query, values) });
  const { value: lacks } = useLacks(kind, namespace, name);
  const noDelete = lackText(lacks, "delete");
  useActions([{ name: `Submit ${name}`, key: "s", run: () => change({ sidePanel: "submit" }) }], [name]);
  const { value } = answer;
  if (value.kind === "waiting") return <p class="muted">Loading {name} …</p>;
  if (value.kind === "refused") {
    return <Refused refusal={value.refusal} onAgain={again} isPage />;
  }
  const template = value.value;
  const isCluster = kind === "ClusterWorkflowTemplate";
  const label = `workflows.argoproj.io/${isCluster ? "cluster-workflow-template" : "workflow-template"}=${name}`;
  const list: Page = isCluster ? { kind: "cluster-templates" } : { kind: "templates", namespace };
  const tab = TABS.find((one) => one === valueOf(query, "tab")) ?? "summary";
  async function remove(): Promise<void> {
    isDeleting.value = false;
    try {
      await app.source.deleteTemplate(kind, namespace, name);
      app.go({ page: list, query: [] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal.value = error;
    }
  }
  return (
    <article>
      <nav class="crumbs" aria-label="Where this is">
        <a href={app.hrefOf({ page: list, query: [] })}>Templates</a>
        <span class="muted">{isCluster ? "cluster" : namespace}</span>
      </nav>
      <header class="page-head">
        <h1>{name}</h1>
        <span class="badge">{isCluster ? "cluster" : "namespace"}</span>
        <span class="row end">
          <SubmitLink word="Submit" href={hrefOf({ sidePanel: "submit" })} lack={lackText(lacks, "submit")} />
          <button
            type="button"
            class="button danger"
            disabled={noDelete !== undefined}
            title={noDelete}
            onClick={() => isDeleting.value = true}
          >
            Delete…
          </button>
        </span>
      </header>
      <LackLines texts={lackTexts(lacks, { submit: "Submit", delete: "Delete", update: "Save" })} />
      {refusal.value && <Refused refusal={refusal.value} />}
      <Tabs label="Parts of the template" words={TAB_WORDS} current={tab} hrefOf={(one) => hrefOf({ tab: one })} />
      {tab === "summary" && <Summary template={template} />}
      {tab === "manifest" && (
        <ManifestEditor
          key={template.metadata.resourceVersion}
          label={`Manifest of ${name}`}
          object={template}
          action="Save"
          lack={lackText(lacks, "update")}
          newest={() => app.source.getTemplate(kind, namespace, name)}
          onSend={async (object) => {
            await app.source.updateTemplate(kind, namespace, name, object);
            again();
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
          lack={lackText(lacks, "submit")}
          onClose={() => change({ sidePanel: undefined })}
        />
      )}
      {isDeleting.value && (
        <Dialog title={`Delete ${name}?`} onClose={() => isDeleting.value = false}>
          <p>Runs that were made from it stay. What refers to it will fail when it next starts.</p>
          <footer>
            <button type="button" class="button" onClick={() => isDeleting.value = false}>Cancel</button>
            <button type="button" class="button danger" onClick={() => void remove()}>Delete {name}</button>
          </footer>
        </Dialog>
      )}
    </article>
  );
}

const TAB_WORDS: Readonly<Record<typeof TABS[number], string>> = {
  summary: "Summary",
  manifest: "Manifest",
  runs: "Last runs",
  steps: "Steps",
};

function Summary({ template: { spec, metadata } }: { template: Parameters<typeof entryOf>[0] }) {
  const entrypoint = entryOf({ spec, metadata });
  const fields = fieldsOf(spec, entrypoint);
  return (
    <>
      <About metadata={metadata} />
      <h2>Parameters</h2>
      {fields.length === 0 && <p class="muted">None: it can be submitted as it is.</p>}
      {fields.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>Usually</th>
              <th>One of</th>
              <th>About</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <td class="mono">{field.name}</td>
                <td class="mono" data-head="Usually">{field.usual ?? <span class="muted">a value is needed</span>}</td>
                <td class="mono" data-head="One of">
                  {field.choices?.join(", ")}{" "}
                  {isChosenAsList(field.choices ?? [], field.usual ?? "", field.usual ?? "") &&
                    <span class="muted">(several)</span>}
                </td>
                <td class="long">{field.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>Templates</h2>
      <ul class="plain-list">
        {(spec.templates ?? []).map((one) => (
          <li key={one.name}>
            <span class="mono">{one.name}</span>
            {one.name === entrypoint && <span class="badge">entrypoint</span>}
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
