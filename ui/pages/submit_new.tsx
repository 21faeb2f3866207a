/** The dialog in which the user writes a new run. */
import { useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { START_NAMES, startManifestOf, type StartName } from "../model/examples.ts";
import { useAnswer } from "./hooks.ts";
import { ManifestEditor } from "./editor_part.tsx";
import { newRunButton } from "../model/text/en/runs_page.ts";
import * as words from "../model/text/en/submit_new.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly namespace: string;
  readonly onClose: () => void;
}

export function SubmitNew({ namespace, onClose }: Props) {
  const app = useApp();
  const where = namespace || app.info.value.managedNamespace || "default";
  const [start, setStart] = useState<StartName>("hello");
  const [isTouched, setTouched] = useState(false);
  const create = (object: unknown, isDryRun: boolean) => {
    const given = object as Workflow;
    const labels = { ...given.metadata?.labels, "submit-from-ui": "true" };
    const run = { ...given, metadata: { ...given.metadata, labels } };
    return app.source.createRun(given.metadata?.namespace ?? where, run, { isDryRun });
  };
  return (
    <Dialog title={newRunButton} onClose={onClose} isWide>
      <p class="row">
        <label>
          {words.startField}{" "}
          <select
            disabled={isTouched}
            title={isTouched ? words.startWouldReplace : undefined}
            onChange={(event) => setStart(START_NAMES[event.currentTarget.selectedIndex] ?? "hello")}
          >
            {START_NAMES.map((name) => <option key={name} selected={name === start}>{words.starts[name]}</option>)}
          </select>
        </label>
        <TemplateChoice namespace={where} />
      </p>
      <div onInput={() => setTouched(true)}>
        <ManifestEditor
          key={start}
          label={words.manifestLabel}
          object={startManifestOf(start, where)}
          action={shared.submitButton}
          onTry={(object) => create(object, true)}
          onSend={async (object) => {
            const { metadata } = await create(object, false);
            app.go({
              page: { kind: "run", namespace: metadata.namespace ?? where, name: metadata.name ?? "" },
              query: [],
            });
          }}
        />
      </div>
    </Dialog>
  );
}

/**
 * The templates of the namespace: choosing one opens its form. If the namespace has no templates, a link to their list
 * is shown.
 */
function TemplateChoice({ namespace }: { readonly namespace: string }) {
  const app = useApp();
  const { answer } = useAnswer(
    (signal) => app.source.listTemplates("WorkflowTemplate", namespace, [], signal),
    [namespace],
  );
  const { value } = answer;
  const names = value.kind === "here" ? value.value.flatMap(({ metadata: { name } }) => name ?? []).sort() : [];
  if (names.length === 0) {
    return <a href={app.hrefOf({ page: { kind: "templates", namespace }, query: [] })}>{words.fromTemplateLink}</a>;
  }
  return (
    <label>
      {words.templateField}{" "}
      <select
        onChange={({ currentTarget: { value: name } }) =>
          name && app.go({ page: { kind: "template", namespace, name }, query: [["sidePanel", "submit"]] })}
      >
        <option value="">{words.chooseTemplate}</option>
        {names.map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
    </label>
  );
}
