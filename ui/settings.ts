/** Settings of this browser: the theme, and whether single letters act. */
import { effect, signal } from "@preact/signals";
import { keptByArgo } from "./model/argo_storage.ts";
import type { Place } from "./model/place.ts";

/** The theme: as the system says, or one of both. */
export type Theme = "system" | "light" | "dark";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The theme that is chosen. */
export const theme = signal<Theme>(THEMES.find((one) => one === read("theme")) ?? "system");

/** Whether single letters act; people who dictate switch them off. */
export const singleKeys = signal(read("keys") !== "off");

/** Keeps the settings, and puts the theme on the page. */
export function keepSettings(): void {
  effect(() => {
    const { value } = theme;
    if (value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    write("theme", value);
  });
  effect(() => write("keys", singleKeys.value ? "on" : "off"));
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(`tiphys.${name}`);
  } catch {
    // A browser that keeps nothing has the usual settings.
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
  return keptByArgo((name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // A browser that keeps nothing has kept nothing of Argo's page either.
      return null;
    }
  });
}
