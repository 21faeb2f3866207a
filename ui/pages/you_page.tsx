/** The settings of the browser, and the identity of the user on the server. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Refusal } from "../api/refusal.ts";
import type { MissingRightsByAction } from "../api/source.ts";
import { useApp } from "../app.ts";
import { commandExports, tokenInCookies } from "../model/command_exports.ts";
import { momentText, whenText } from "../model/duration.ts";
import { valueOf, withValues } from "../model/place.ts";
import { missingRightsLines, missingRightsTexts } from "../model/run/missing_rights.ts";
import {
  isoTimes,
  ROW_HEIGHTS,
  type RowHeight,
  rowHeight,
  singleKeys,
  type Theme,
  theme,
  timeZone,
} from "../settings.ts";
import { Refused } from "./refused.tsx";
import { useAnswer } from "./hooks.ts";
import * as words from "../model/text/en/you_page.ts";
import * as shared from "../model/text/en/shared.ts";

const HEIGHTS: Readonly<Record<RowHeight, string>> = {
  low: words.compactRows,
  usual: words.normalRows,
  high: words.highRows,
};

const KINDS = ["Workflow", "WorkflowTemplate", "CronWorkflow", "ClusterWorkflowTemplate"] as const;

/** The rights that the user lacks in a namespace, by kind; the namespace is in the address. */
function MissingRights() {
  const app = useApp();
  const { page, query } = app.place.value;
  const { extensions, managedNamespace } = app.info.value;
  const namespace = managedNamespace || (valueOf(query, "namespace") ?? "");
  const isAsked = namespace !== "" && extensions?.includes("can") === true;
  const { answer, refetch } = useAnswer(async (signal) => {
    if (!isAsked) return [];
    // No object can have this name, so the response applies to all objects.
    const ask = (kind: (typeof KINDS)[number]) =>
      app.source.missingRights(kind, namespace, "-", signal).then(
        (lacks) => ({ kind, lines: missingRightsLines(missingRightsTexts(lacks, namesOf(lacks))) }),
        (error) => {
          if (!(error instanceof Refusal) || error.kind !== "forbidden") throw error;
          return { kind, lines: [error.message] };
        },
      );
    return await Promise.all(KINDS.map(ask));
  }, [namespace, isAsked]);
  if (extensions?.includes("can") === false) return <p class="muted">{words.rightsUnknown}</p>;
  const { value } = answer;
  return (
    <section>
      <h2>{words.rightsHeading}</h2>
      {managedNamespace === "" && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            const given = String(new FormData(event.currentTarget).get("namespace") ?? "").trim();
            app.go({ page, query: withValues(query, { namespace: given || undefined }) });
          }}
        >
          <label>
            <span class="muted">{shared.namespaceField}</span>{" "}
            <input key={namespace} name="namespace" defaultValue={namespace} required size={16} />
          </label>
          <button type="submit" class="button">{words.checkRightsButton}</button>
        </form>
      )}
      {value.kind === "waiting" && <p class="muted">{words.loading}</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={refetch} />}
      {value.kind === "here" && value.value.length > 0 && (
        <dl class="facts">
          {value.value.map(({ kind, lines }) => [
            <dt key={kind}>{kind}</dt>,
            <dd key={`${kind} lines`}>
              {lines.length === 0 ? words.allActions : <ul>{lines.map((line) => <li key={line}>{line}</li>)}</ul>}
            </dd>,
          ])}
        </dl>
      )}
    </section>
  );
}

/** Maps each action to its name. */
function namesOf(lacks: MissingRightsByAction): Record<string, string> {
  return Object.fromEntries(Object.keys(lacks).map((action) => [action, action]));
}

/** Commands with which a terminal uses this server as the same user; the token is shown only after a click. */
function CommandLine() {
  const app = useApp();
  const isShown = useSignal(false);
  const isCopied = useSignal(false);
  const token = tokenInCookies(app.session.cookies());
  const { managedNamespace } = app.info.value;
  const namespace = managedNamespace || (valueOf(app.place.value.query, "namespace") ?? "");
  const base = new URL(".", document.baseURI).href;
  return (
    <section>
      <h2>{words.commandsHeading}</h2>
      {token === undefined ? <p class="muted">{words.noTokenHere}</p> : (
        <>
          <p>{words.aboutCommands}</p>
          <pre class="words">{commandExports({ base, namespace, token: isShown.value ? token : words.hiddenToken })}</pre>
          <p class="row">
            <button type="button" class="button" onClick={() => isShown.value = !isShown.value}>
              {isShown.value ? words.hideToken : words.showToken}
            </button>
            <button
              type="button"
              class="button"
              onClick={async () => {
                await navigator.clipboard?.writeText(commandExports({ base, namespace, token }));
                isCopied.value = true;
              }}
            >
              {words.copyCommands}
            </button>
            <span role="status" class="muted">{isCopied.value && words.copied}</span>
          </p>
        </>
      )}
    </section>
  );
}

export function YouPage() {
  const app = useApp();
  const { answer, refetch } = useAnswer((signal) => app.source.userInfo(signal), []);
  const { value } = answer;
  return (
    <article>
      <header class="page-head">
        <h1>{words.heading}</h1>
      </header>
      <h2>{words.browserHeading}</h2>
      <div class="form">
        <label class="field">
          <span>{words.themeField}</span>
          <select value={theme.value} onChange={(event) => theme.value = event.currentTarget.value as Theme}>
            <option value="system">{words.systemTheme}</option>
            <option value="light">{words.lightTheme}</option>
            <option value="dark">{words.darkTheme}</option>
          </select>
        </label>
        <label class="field">
          <span>{words.rowsField}</span>
          <select
            value={rowHeight.value}
            onChange={(event) => rowHeight.value = event.currentTarget.value as RowHeight}
          >
            {ROW_HEIGHTS.map((height) => <option key={height} value={height}>{HEIGHTS[height]}</option>)}
          </select>
        </label>
        <TimeFields />
        <label class="row">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={(event) => singleKeys.value = event.currentTarget.checked}
          />
          <span>{words.singleKeysField}</span>
        </label>
      </div>
      <h2>{words.loginHeading}</h2>
      {value.kind === "waiting" && <p class="muted">{words.loading}</p>}
      {value.kind === "refused" && (
        <Refused
          refusal={value.refusal}
          onAgain={refetch}
        />
      )}
      {value.kind === "here" && (
        <dl class="facts">
          {Object.entries({
            [words.subjectField]: value.value.subject,
            [shared.nameField]: value.value.name,
            [words.emailField]: value.value.email,
            [words.groupsField]: value.value.groups.join(", "),
            [words.issuerField]: value.value.issuer,
            [words.serviceAccountField]: [value.value.serviceAccountNamespace, value.value.serviceAccountName]
              .filter(Boolean).join("/"),
          }).filter(([, text]) => text !== "").map((
            [name, text],
          ) => [<dt key={name}>{name}</dt>, <dd key={text}>{text}</dd>])}
        </dl>
      )}
      {value.kind === "here" && Object.values(value.value).flat().join("") === "" && (
        <p class="muted">{app.session.login === "ticket" ? words.loggedInByLink : words.noUserIdentity}</p>
      )}
      {value.kind === "here" && app.session.login === "token" && <MissingRights />}
      {app.session.login === "token" && <CommandLine />}
    </article>
  );
}

function TimeFields() {
  const now = useApp().now.value;
  const zones = useMemo(() => Intl.supportedValuesOf("timeZone"), []);
  const { value: zone } = timeZone;
  const time = new Date(now - 180_000).toISOString();
  return (
    <>
      <label class="field">
        <span>{words.zoneField}</span>
        <select value={zone} onChange={(event) => timeZone.value = event.currentTarget.value}>
          <option value="">{words.computerZone}</option>
          {zone !== "" && !zones.includes(zone) && <option value={zone}>{zone}</option>}
          {zones.map((zone) => <option key={zone} value={zone}>{zone}</option>)}
        </select>
      </label>
      <label class="field">
        <span>{words.timesField}</span>
        <select
          value={isoTimes.value ? "iso" : "relative"}
          onChange={(event) => isoTimes.value = event.currentTarget.value === "iso"}
        >
          <option value="relative">{words.relativeTimes}</option>
          <option value="iso">{words.isoTimes}</option>
        </select>
      </label>
      <p class="muted">{words.timesExample(whenText(time, now), momentText(time))}</p>
    </>
  );
}
