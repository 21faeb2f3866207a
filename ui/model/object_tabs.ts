/** The tabs of templates and schedules, by their names in addresses. Names that Argo's page has are the same here. */

/** Names in Argo's page of tabs that have another name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = { status: "summary", "workflow-metadata": "metadata" };

/** Returns the tab of an address; the first one by default. */
export function tabOf<T extends string>(tabs: readonly [T, ...T[]], name = ""): T {
  const wanted = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name;
  return tabs.find((tab) => tab === wanted) ?? tabs[0];
}
