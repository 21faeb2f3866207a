/** The person as the server knows them, and the way out. */
import { useMemo } from "preact/hooks";
import { useApp } from "../app.ts";
import { momentText, whenText } from "../model/duration.ts";
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
  low: words.lowRows,
  usual: words.usualRows,
  high: words.highRows,
};

/** The page. */
export function YouPage() {
  const app = useApp();
  const { answer, again } = useAnswer((signal) => app.source.userInfo(signal), []);
  const { value } = answer;
  return (
    <article>
      <header class="page-head">
        <h1>{words.heading}</h1>
      </header>
      {value.kind === "waiting" && <p class="muted">{words.asking}</p>}
      {value.kind === "refused" && (
        <Refused
          refusal={value.refusal}
          onAgain={again}
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
      <h2>{words.settingsHeading}</h2>
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
            {ROW_HEIGHTS.map((one) => <option key={one} value={one}>{HEIGHTS[one]}</option>)}
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
    </article>
  );
}

function TimeFields() {
  const now = useApp().now.value;
  const zones = useMemo(() => Intl.supportedValuesOf("timeZone"), []);
  const { value: zone } = timeZone;
  const at = new Date(now - 180_000).toISOString();
  return (
    <>
      <label class="field">
        <span>{words.zoneField}</span>
        <select value={zone} onChange={(event) => timeZone.value = event.currentTarget.value}>
          <option value="">{words.ownZone}</option>
          {zone !== "" && !zones.includes(zone) && <option value={zone}>{zone}</option>}
          {zones.map((one) => <option key={one} value={one}>{one}</option>)}
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
      <p class="muted number">{words.timesExample(whenText(at, now), momentText(at))}</p>
    </>
  );
}
