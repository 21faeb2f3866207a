/** Settings of this browser: the theme, the height of rows, the zone and the form of times, whether single letters act, saved views, columns, advice that is not wanted, and greetings. */
import { effect, signal } from "@preact/signals";
import { keptByArgo, timesKeptByArgo } from "./model/argo_storage.ts";
import { isZone, tellMoments } from "./model/duration.ts";
import { greetedText, readGreeted } from "./model/greeting.ts";
import type { Place } from "./model/place.ts";
import { ADVICE_SUBJECTS, type AdviceSubject } from "./model/run/advice_subject.ts";
import { readViews, viewsText } from "./model/saved_views.ts";

/** The theme: as the system says, or one of both. */
export type Theme = "system" | "light" | "dark";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The theme that is chosen. */
export const theme = signal<Theme>(THEMES.find((one) => one === read("theme")) ?? "system");

/** Whether single letters act; people who dictate switch them off. */
export const singleKeys = signal(read("keys") !== "off");

/** The heights of rows, from low to high. */
export const ROW_HEIGHTS = ["low", "usual", "high"] as const;
/** The height of rows. */
export type RowHeight = (typeof ROW_HEIGHTS)[number];

/** The height that is chosen. */
export const rowHeight = signal<RowHeight>(ROW_HEIGHTS.find((one) => one === read("rows")) ?? "usual");

const times = timesKeptByArgo(readKept);

/** The zone of all times; empty for that of the browser. What Argo's page had is taken over once. */
export const timeZone = signal([read("zone") ?? times.zone].find(isZone) ?? "");

/** Whether all times are told as ISO 8601, and none seen from now. */
export const isoTimes = signal((read("times") ?? (times.isIso ? "iso" : "")) === "iso");

/** The views of the list of runs that were saved here. */
export const savedViews = signal(readViews(read("views")));

/** The columns of the list of runs that were chosen here; empty for the usual ones. */
export const runColumns = signal(read("columns") ?? "");

/** The subjects of advice that somebody dismissed here. */
export const dismissedAdvice = signal<readonly AdviceSubject[]>(
  ADVICE_SUBJECTS.filter((one) => (read("dismissed") ?? "").split(",").includes(one)),
);

/** The zone in which times of logs are told here; empty for that of all times. */
export const logZone = signal([read("log-zone") ?? ""].find(isZone) ?? "");

/** What this browser knows of the greetings that were shown here. */
export const greeted = signal(readGreeted(read("greeted")));

/** Keeps the settings, and puts those of the look on the page. */
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
    tellMoments({ zone: timeZone.value || undefined, isIso: isoTimes.value });
    write("zone", timeZone.value);
    write("times", isoTimes.value ? "iso" : "relative");
  });
  effect(() => write("views", viewsText(savedViews.value)));
  effect(() => write("columns", runColumns.value));
  effect(() => write("dismissed", dismissedAdvice.value.join(",")));
  effect(() => write("log-zone", logZone.value));
  effect(() => write("greeted", greetedText(greeted.value)));
  effect(() => write("keys", singleKeys.value ? "on" : "off"));
}

function read(name: string): string | null {
  return readKept(`tiphys.${name}`);
}

function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // A browser that keeps nothing has the usual settings, and nothing of Argo's page either.
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`tiphys.${name}`, value);
  } catch {
    // Nothing is kept; the setting holds for this tab.
  }
}

/** The list as Argo's page left it in this browser, once: afterwards ours has its own ways. */
export function takenFromArgo(): Place | undefined {
  if (read("argo") === "taken") return undefined;
  write("argo", "taken");
  return keptByArgo(readKept);
}
