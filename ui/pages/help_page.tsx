/** Help: the keys, the version, and where more is told. */
import { allActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { KeyTable } from "../components/key_table.tsx";
import { LinkList } from "../components/link_list.tsx";
import { plainLinks } from "../model/links.ts";
import { RUN_KEYS } from "../model/run/run_keys.ts";

const LIST_KEYS = [
  ["j k", "The next run, and the one before"],
  ["x", "Select the run, or not"],
  [" ", "Look at the run"],
  ["/", "Find runs"],
  ["n", "New run"],
] as const;

const COMMANDS = ["tiphys list", "tiphys get @latest", "tiphys logs @latest --follow", "tiphys why @latest"];

/** The page. */
export function HelpPage() {
  const app = useApp();
  return (
    <article>
      <header class="page-head">
        <h1>Help</h1>
        <span class="muted">{app.version.value}</span>
        {/* On a small screen they stand here only: there is no room for them at the pages. */}
        <LinkList links={plainLinks(app.info.value.links, "chat")} />
      </header>
      <h2>Keys</h2>
      <KeyTable
        keys={[
          ["Ctrl K", "Search, or do something; ⌘ K on a Mac"],
          ...allActions().flatMap(({ name, key }) => key === undefined ? [] : [[key, name] as const]),
        ]}
      />
      <h3>In the list of runs</h3>
      <KeyTable keys={LIST_KEYS} />
      <h3>On the page of a run</h3>
      <KeyTable keys={RUN_KEYS} />
      <p class="muted">
        Single letters can be switched off below{" "}
        <a href={app.hrefOf({ page: { kind: "you" }, query: [] })}>You</a>; they never act while you type.
      </p>
      <h2>Filters of runs</h2>
      <p>
        <code>phase:failed,error</code>,{" "}
        <code>label:team=a</code>, and any other word is a part of the name. Each filter stands in the address, so a
        bookmark keeps them.
      </p>
      <h2>On the command line</h2>
      <pre class="words">{COMMANDS.join("\n")}</pre>
      <h2>Plugins</h2>
      <p>Each executor plugin is a ConfigMap, of the controller's namespace or of the run's:</p>
      <pre class="words">kubectl get configmaps -l workflows.argoproj.io/configmap-type=ExecutorPlugin</pre>
      <h2>By programs</h2>
      <p>
        <a href={app.hrefOf({ page: { kind: "api" }, query: [] })}>The API</a>: its routes, with the rights that each
        needs, what it takes and what it answers.
      </p>
    </article>
  );
}
