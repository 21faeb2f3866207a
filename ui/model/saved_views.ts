/** Named views of the list of runs: addresses that are stored in the browser. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { addressOf, type PageAddress, parsePageAddress } from "./place.ts";

/** A saved view. */
export interface SavedView {
  readonly name: string;
  /** The address relative to the base href, `workflows/data?phase=Failed`. */
  readonly address: string;
}

/** The maximum number of views that are stored, and the longest names and addresses. */
const MAX_ITEMS = 50;
const MAX_NAME_LENGTH = 60;
const MAX_ADDRESS_LENGTH = 2_000;

/** Parameters that a view does not include: the position in the list, and open panels. */
const LEFT_OUT = /^(offset|peek|sidePanel|template|parameters\[.*\])$/;

/** Parses stored views; invalid ones are dropped. */
export function readViews(text: string | null): readonly SavedView[] {
  const { views } = fieldsOfJson(text ?? "");
  if (!Array.isArray(views)) return [];
  return views.slice(0, MAX_ITEMS).flatMap((view): SavedView[] => {
    const { name, address } = fieldsOf(view);
    if (typeof name !== "string" || typeof address !== "string" || name === "") return [];
    if (name.length > MAX_NAME_LENGTH || address.length > MAX_ADDRESS_LENGTH) return [];
    return parsePageAddress(address).page.kind === "runs" ? [{ name, address }] : [];
  });
}

/** Serializes views for readViews(). */
export function viewsText(views: readonly SavedView[]): string {
  return JSON.stringify({ views });
}

/** Returns the address of a list of runs without the parameters that views do not include. */
export function viewAddress({ page, query }: PageAddress): string {
  return addressOf({ page, query: query.filter(([name]) => !LEFT_OUT.test(name)) });
}

/** Adds a view, or replaces the one with the same name. */
export function withView(views: readonly SavedView[], name: string, place: PageAddress): readonly SavedView[] {
  const own = { name: name.trim().slice(0, MAX_NAME_LENGTH), address: viewAddress(place) };
  if (own.name === "" || own.address.length > MAX_ADDRESS_LENGTH) return views;
  return [...views.filter((view) => view.name !== own.name), own].slice(-MAX_ITEMS);
}
