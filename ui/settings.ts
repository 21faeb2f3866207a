/**
 * Settings of this browser: theme, row height, time zone and format, single-letter keys, saved views, columns,
 * dismissed advice, and greetings.
 */
import { effect, signal } from "@preact/signals";
import { runListStoredByArgo, timeSettingsStoredByArgo } from "./model/argo_storage.ts";
import { isZone, setTimeSettings } from "./model/duration.ts";
import { readGreeted, serializeGreeting } from "./model/greeting.ts";
import type { PageAddress } from "./model/place.ts";
import { ADVICE_SUBJECTS, type AdviceSubject } from "./model/run/advice_subject.ts";
import { readViews, viewsText } from "./model/saved_views.ts";

/** The theme: as the system, or fixed. */
export type Theme = "system" | "light" | "dark";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The selected theme. */
export const theme = signal<Theme>(THEMES.find((theme) => theme === read("theme")) ?? "system");

/** Whether single-letter keys are enabled; users of speech input turn them off. */
export const singleKeys = signal(read("keys") !== "off");

/** The heights of rows, in increasing order. */
export const ROW_HEIGHTS = ["low", "usual", "high"] as const;
/** The height of rows. */
export type RowHeight = (typeof ROW_HEIGHTS)[number];

/** The selected height. */
export const rowHeight = signal<RowHeight>(ROW_HEIGHTS.find((height) => height === read("rows")) ?? "usual");

const times = timeSettingsStoredByArgo(readStored);

/** The zone of all times; empty for that of the browser. The setting of Argo's page is adopted once. */
export const timeZone = signal([read("zone") ?? times.zone].find(isZone) ?? "");

/** Whether all times are ISO 8601 and never relative to now. */
export const isoTimes = signal((read("times") ?? (times.isIso ? "iso" : "")) === "iso");

/** The saved views of the list of runs. */
export const savedViews = signal(readViews(read("views")));

/** The selected columns of the list of runs; empty for the default. */
export const runColumns = signal(read("columns") ?? "");

/** The dismissed subjects of advice. */
export const dismissedAdvice = signal<readonly AdviceSubject[]>(
  ADVICE_SUBJECTS.filter((subject) => (read("dismissed") ?? "").split(",").includes(subject)),
);

/** The time zone of logs; empty for that of all times. */
export const logZone = signal([read("log-zone") ?? ""].find(isZone) ?? "");

/** The state of greetings. */
export const greetingState = signal(readGreeted(read("greeted")));

/** Stores the settings, and applies those of the appearance. */
export function keepSettings(): void {
  effect(() => {
    const { value } = theme;
    if (value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    write("theme", value);
  });
  effect(() => {
    document.documentElement.dataset.rows = rowHeight.value;
    write("rows", rowHeight.value);
  });
  effect(() => {
    setTimeSettings({ zone: timeZone.value || undefined, isIso: isoTimes.value });
    write("zone", timeZone.value);
    write("times", isoTimes.value ? "iso" : "relative");
  });
  effect(() => write("views", viewsText(savedViews.value)));
  effect(() => write("columns", runColumns.value));
  effect(() => write("dismissed", dismissedAdvice.value.join(",")));
  effect(() => write("log-zone", logZone.value));
  effect(() => write("greeted", serializeGreeting(greetingState.value)));
  effect(() => write("keys", singleKeys.value ? "on" : "off"));
}

function read(name: string): string | null {
  return readStored(`tiphys.${name}`);
}

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Without storage, settings have their defaults, and nothing is adopted from Argo's page.
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`tiphys.${name}`, value);
  } catch {
    // Without storage, the setting holds for this tab.
  }
}

/** Returns the list with the filters of Argo's page, once. */
export function importArgoFilters(): PageAddress | undefined {
  if (read("argo") === "taken") return undefined;
  write("argo", "taken");
  return runListStoredByArgo(readStored);
}
