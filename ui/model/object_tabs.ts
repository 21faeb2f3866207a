/** The tabs of what runs are made from, by the names that addresses have: ours are Argo's where it has one. */

/** Names of Argo's page for what stands in another tab here. */
const OTHER_NAMES: Readonly<Record<string, string>> = { status: "summary", "workflow-metadata": "metadata" };

/** The tab that an address names; the first where it names none. */
export function tabOf<T extends string>(tabs: readonly [T, ...T[]], name = ""): T {
  const wanted = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name;
  return tabs.find((one) => one === wanted) ?? tabs[0];
}
