/** The person as the server knows them, and the way out. */
import { useApp } from "../app.ts";
import { ROW_HEIGHTS, type RowHeight, rowHeight, singleKeys, type Theme, theme } from "../settings.ts";
import { Refused } from "./refused.tsx";
import { useAnswer } from "./hooks.ts";

/** The page. */
export function YouPage() {
  const app = useApp();
  const { answer, again } = useAnswer((signal) => app.source.userInfo(signal), []);
  const { value } = answer;
  return (
    <article>
      <header class="page-head">
        <h1>You</h1>
      </header>
      {value.kind === "waiting" && <p class="muted">Asking the server …</p>}
      {value.kind === "refused" && (
        <Refused
          refusal={value.refusal}
          onAgain={again}
        />
      )}
      {value.kind === "here" && (
        <dl class="facts">
          {Object.entries({
            Subject: value.value.subject,
            Name: value.value.name,
            Email: value.value.email,
            Groups: value.value.groups.join(", "),
            Issuer: value.value.issuer,
            "Service account": [value.value.serviceAccountNamespace, value.value.serviceAccountName].filter(Boolean)
              .join("/"),
          }).filter(([, text]) => text !== "").map((
            [name, text],
          ) => [<dt key={name}>{name}</dt>, <dd key={text}>{text}</dd>])}
        </dl>
      )}
      <h2>Settings of this browser</h2>
      <div class="form">
        <label class="field">
          <span>Theme</span>
          <select value={theme.value} onChange={(event) => theme.value = event.currentTarget.value as Theme}>
            <option value="system">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <label class="field">
          <span>Rows</span>
          <select
            value={rowHeight.value}
            onChange={(event) => rowHeight.value = event.currentTarget.value as RowHeight}
          >
            {ROW_HEIGHTS.map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        </label>
        <label class="row">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={(event) => singleKeys.value = event.currentTarget.checked}
          />
          <span>Single letters are keys</span>
        </label>
      </div>
    </article>
  );
}
