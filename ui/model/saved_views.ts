/** Views of the list of runs that somebody gave a name: an address each, kept by the browser. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { addressOf, type Place, readPlace } from "./place.ts";

/** A view. */
export interface SavedView {
  readonly name: string;
  /** The address below the base href, `workflows/data?phase=Failed`. */
  readonly address: string;
}

/** The most views, and the longest names and addresses. */
const MOST = 50;
const LONGEST_NAME = 60;
const LONGEST_ADDRESS = 2_000;

/** What a view leaves out: where in the list somebody was, and what was open above it. */
const LEFT_OUT = /^(offset|peek|sidePanel|template|parameters\[.*\])$/;

/** Reads views as they are kept; what is no view is left out. */
export function readViews(text: string | null): readonly SavedView[] {
  const { views } = fieldsOfJson(text ?? "");
  if (!Array.isArray(views)) return [];
  return views.slice(0, MOST).flatMap((one): SavedView[] => {
    const { name, address } = fieldsOf(one);
    if (typeof name !== "string" || typeof address !== "string" || name === "") return [];
    if (name.length > LONGEST_NAME || address.length > LONGEST_ADDRESS) return [];
    return readPlace(address).page.kind === "runs" ? [{ name, address }] : [];
  });
}

/** Writes views as readViews() reads them. */
export function viewsText(views: readonly SavedView[]): string {
  return JSON.stringify({ views });
}

/** The address of a list of runs as a view has it. */
export function viewAddress({ page, query }: Place): string {
  return addressOf({ page, query: query.filter(([name]) => !LEFT_OUT.test(name)) });
}

/** The views with a place under a name; it takes the place of another of that name. */
export function withView(views: readonly SavedView[], name: string, place: Place): readonly SavedView[] {
  const own = { name: name.trim().slice(0, LONGEST_NAME), address: viewAddress(place) };
  if (own.name === "" || own.address.length > LONGEST_ADDRESS) return views;
  return [...views.filter((one) => one.name !== own.name), own].slice(-MOST);
}
