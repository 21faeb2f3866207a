/** The field by which each kind of store tells its artifacts apart. */
const KEY_FIELDS: Readonly<Record<string, string>> = {
  artifactory: "url",
  azure: "blob",
  gcs: "key",
  hdfs: "path",
  http: "url",
  oss: "key",
  plugin: "key",
  s3: "key",
};

type Location = { readonly [field: string]: unknown };

/** The key of a location; undefined when it has none, or its store knows none. */
export function keyOf(location: Location): string | undefined {
  const [store, field] = storeOf(location) ?? [];
  if (!store || !field) return undefined;
  const key = (location[store] as Location)[field];
  return typeof key === "string" && key !== "" ? key : undefined;
}

/** The same location with another key; unchanged where the store knows none. */
export function withKey<T extends Location>(location: T, key: string): T {
  const [store, field] = storeOf(location) ?? [];
  if (!store || !field) return location;
  return { ...location, [store]: { ...(location[store] as Location), [field]: key } };
}

function storeOf(location: Location): [store: string, field: string] | undefined {
  return Object.entries(KEY_FIELDS).find(([store]) => typeof location[store] === "object" && location[store] !== null);
}
