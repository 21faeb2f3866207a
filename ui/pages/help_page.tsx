/** Help: the documentation, the keys and the version. */
import { allActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { KeyTable } from "../components/key_table.tsx";
import { LinkList } from "../components/link_list.tsx";
import { plainLinks } from "../model/links.ts";
import { RUN_KEYS } from "../model/run/run_keys.ts";
import * as words from "../model/text/en/help_page.ts";

const LIST_KEYS = [
  ["j k", words.nextPreviousAction],
  ["x", words.selectAction],
  [" ", words.showDetailsAction],
  ["/", words.findAction],
  ["n", words.newRunAction],
] as const;

const COMMANDS = ["tiphys list", "tiphys get @latest", "tiphys logs @latest --follow", "tiphys why @latest"];

export function HelpPage() {
  const app = useApp();
  return (
    <article>
      <header class="page-head">
        <h1>{words.heading}</h1>
        <span class="muted">{app.version.value}</span>
        <a href="docs/" target="_blank" rel="noopener noreferrer">{words.documentation}</a>
        {/* On a small screen the links are only here. */}
        <LinkList links={plainLinks(app.info.value.links, "chat")} />
      </header>
      {app.info.value.extensions?.length === 0 && (
        <section class="note">
          <h2>{words.serverHeading}</h2>
          <p>{words.aboutServer}</p>
          <ul>{words.argoServerLimitations.map((limitation) => <li key={limitation}>{limitation}</li>)}</ul>
        </section>
      )}
      <h2>{words.keysHeading}</h2>
      <KeyTable
        keys={[
          ["Ctrl K", words.searchAction],
          ...allActions().flatMap(({ name, key }) => key === undefined ? [] : [[key, name] as const]),
        ]}
      />
      <h3>{words.listKeysHeading}</h3>
      <KeyTable keys={LIST_KEYS} />
      <h3>{words.runKeysHeading}</h3>
      <KeyTable keys={RUN_KEYS} />
      <p class="muted">
        {words.singleLetters(<a href={app.hrefOf({ page: { kind: "you" }, query: [] })}>{words.youLink}</a>)}
      </p>
      <h2>{words.filtersHeading}</h2>
      <p>
        {words.aboutFilters(<code>phase:failed,error</code>, <code>label:team=a</code>)}
      </p>
      <h2>{words.commandsHeading}</h2>
      <pre class="words">{COMMANDS.join("\n")}</pre>
      <h2>{words.pluginsHeading}</h2>
      <p>{words.aboutPlugins}</p>
      <pre class="words">kubectl get configmaps -l workflows.argoproj.io/configmap-type=ExecutorPlugin</pre>
      <h2>{words.programsHeading}</h2>
      <p>
        {words.aboutApi(<a href={app.hrefOf({ page: { kind: "api" }, query: [] })}>{words.apiLink}</a>)}
      </p>
    </article>
  );
}
