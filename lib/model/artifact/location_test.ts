import { assertEquals, assertThrows } from "@std/assert";
import {
  hasLocationOrKey,
  isFolder,
  isFull,
  joinKeys,
  keyOf,
  LocationError,
  locationOfRepository,
  placeOf,
  relocate,
  storeTextOf,
  withKey,
  withSubPath,
} from "./location.ts";

const S3 = { endpoint: "e:9000", bucket: "b" };

Deno.test("isFull: requires the essential fields of each kind of store", () => {
  const full = [
    { s3: { ...S3, key: "k" } },
    { gcs: { bucket: "b", key: "k" } },
    { azure: { endpoint: "e", container: "c", blob: "k" } },
    { oss: { endpoint: "e", bucket: "b", key: "k" } },
    { http: { url: "https://h/" } },
    { artifactory: { url: "https://h/", usernameSecret: { name: "s", key: "k" } } },
    { git: { repo: "r" } },
    { hdfs: { addresses: ["a:1"], path: "" } },
    { raw: { data: "" } },
    { plugin: { name: "p", configuration: "c", key: "k" } },
  ];
  for (const location of full) assertEquals(isFull(location), true, JSON.stringify(location));
  const lacking = [
    { s3: { ...S3 } },
    { s3: { bucket: "b", key: "k" } },
    { gcs: { key: "k" } },
    { azure: { endpoint: "", container: "c", blob: "k" } },
    { artifactory: { url: "https://h/" } },
    { hdfs: { addresses: [], path: "/p" } },
    { plugin: { name: "p", key: "k" } },
    {},
  ];
  for (const location of lacking) assertEquals(isFull(location), false, JSON.stringify(location));
  assertEquals(lacking.map(hasLocationOrKey), [false, true, true, true, true, true, true, false]);
});

Deno.test("keyOf, withKey: use the key, which for URLs is their path", () => {
  assertEquals(keyOf({ s3: { key: "a//b/" } }), "a//b/");
  assertEquals(keyOf({ azure: { endpoint: "e", container: "c", blob: "b" } }), "b");
  assertEquals(keyOf({ http: { url: "https://u:p@h:1/a%20b/c?x=/y#z" } }), "/a b/c");
  assertEquals(keyOf({ http: { url: "https://h" } }), undefined);
  assertEquals(keyOf({ git: { repo: "r" } }), undefined);
  assertEquals(withKey({ http: { url: "https://h/a?x=1" } }, "/ü ?#"), {
    http: { url: "https://h/%C3%BC%20%3F%23?x=1" },
  });
  assertEquals(withKey({ http: { url: "https://h" } }, "k"), { http: { url: "https://h/k" } });
  assertEquals(withKey({ http: { url: "https://h/a%2Fb" } }, "/a/b"), { http: { url: "https://h/a%2Fb" } });
  assertEquals(withKey({ name: "a", gcs: { bucket: "b", key: "k" } }, "n"), {
    name: "a",
    gcs: { bucket: "b", key: "n" },
  });
  assertEquals(withKey({ raw: { data: "x" } }, "n"), { raw: { data: "x" } });
});

Deno.test("placeOf: separates store, key and settings", () => {
  assertEquals(placeOf({ name: "a", s3: { ...S3, key: "k" } }), { store: "s3", key: "k", settings: S3 });
  assertEquals(placeOf({ http: { url: "https://h/a" } }), {
    store: "http",
    key: "/a",
    settings: { url: "https://h/a" },
  });
  assertEquals(placeOf({ git: { repo: "r" } }), { store: "git", key: "", settings: { repo: "r" } });
  assertEquals(placeOf({ name: "a" }), undefined);
});

Deno.test("isFolder: detects folders without a request", () => {
  assertEquals(isFolder({ git: { repo: "r" } }), true);
  assertEquals(isFolder({ s3: { key: "a/" } }), true);
  assertEquals(isFolder({ s3: { key: "a" } }), false);
  assertEquals(isFolder({ http: { url: "https://h/a/" } }), false);
});

const ARCHIVE = { archiveLogs: true, s3: { ...S3, insecure: true, key: "wf/pod" } };

Deno.test("relocate: completes a key from the archive's location, and keeps a full location", () => {
  const whole = { name: "a", gcs: { bucket: "b", key: "k" } };
  assertEquals<object>(relocate(whole, ARCHIVE), whole);
  assertEquals<object>(relocate({ name: "a", s3: { key: "k" } }, ARCHIVE), {
    name: "a",
    s3: { ...S3, insecure: true, key: "k" },
  });
});

Deno.test("relocate: moves a key to a store of another kind", () => {
  assertEquals<object>(relocate({ name: "a", gcs: { key: "k" } }, ARCHIVE), {
    name: "a",
    s3: { ...S3, insecure: true, key: "k" },
  });
  const artifactory = { url: "https://h/repo/wf/pod", usernameSecret: { name: "s", key: "u" } };
  assertEquals<object>(relocate({ name: "a", s3: { key: "x/y" } }, { artifactory }), {
    name: "a",
    artifactory: { ...artifactory, url: "https://h/x/y" },
  });
});

Deno.test("relocate: keeps the fields of an artifact of the same kind", () => {
  assertEquals<object>(relocate({ s3: { bucket: "mine", key: "k" } }, ARCHIVE), {
    s3: { ...S3, insecure: true, bucket: "mine", key: "k" },
  });
});

Deno.test("relocate: rejects locations that would lose fields, and keys without an archive", () => {
  assertThrows(
    () => relocate({ gcs: { key: "k", serviceAccountKeySecret: { name: "s", key: "k" } } }, ARCHIVE),
    LocationError,
    "gcs.serviceAccountKeySecret",
  );
  assertThrows(() => relocate({ s3: { key: "k" } }, undefined), LocationError, "template artifact location not set");
  assertThrows(() => relocate({ s3: { key: "k" } }, { archiveLogs: true }), LocationError, "location not set");
  assertThrows(() => relocate({ s3: { bucket: "b" } }, ARCHIVE), LocationError, "neither a full location nor a key");
});

Deno.test("joinKeys: removes empty parts, dots and a trailing slash", () => {
  const rows: [string[], string][] = [
    [["a", "b"], "a/b"],
    [["a/", "/b/"], "a/b"],
    [["", "b"], "b"],
    [["/a", "b"], "/a/b"],
    [["a//./b", "../c"], "a/c"],
    [["..", "a"], "../a"],
    [["/..", "a"], "/a"],
  ];
  for (const [parts, joined] of rows) assertEquals(joinKeys(...parts), joined, parts.join("+"));
});

Deno.test("withSubPath: appends to the key and rejects paths out of it", () => {
  assertEquals(withSubPath({ s3: { key: "a//b/" } }, "/c/./d/"), { s3: { key: "a//b/c/d" } });
  assertEquals(withSubPath({ s3: { key: "a" } }, "c/../d"), { s3: { key: "a/d" } });
  assertEquals(withSubPath({ s3: { key: "a" } }, "."), { s3: { key: "a" } });
  assertEquals(withSubPath({ http: { url: "https://h/a?x=1" } }, "b c"), { http: { url: "https://h/a/b%20c?x=1" } });
  const artifactory = { url: "https://h/a", usernameSecret: { name: "s", key: "u" } };
  assertEquals(withSubPath({ artifactory }, "b"), { artifactory: { ...artifactory, url: "https://h/a/b" } });
  for (const path of ["..", "../x", "a/../../x", "/../x"]) {
    assertThrows(() => withSubPath({ s3: { key: "a" } }, path), LocationError, "leads out");
  }
  assertThrows(() => withSubPath({ git: { repo: "r" } }, "x"), LocationError, "no key");
});

Deno.test("locationOfRepository: uses the template of keys as key", () => {
  const rows: [object, object | undefined][] = [
    [{ s3: S3 }, { s3: { ...S3, key: "{{workflow.name}}/{{pod.name}}" } }],
    [{ s3: { ...S3, keyPrefix: "p/" } }, { s3: { ...S3, key: "p/{{workflow.name}}/{{pod.name}}" } }],
    [{ s3: { ...S3, keyPrefix: "p", keyFormat: "f" } }, { s3: { ...S3, key: "f" } }],
    [{ azure: { endpoint: "e", container: "c", blobNameFormat: "f" } }, {
      azure: { endpoint: "e", container: "c", blob: "f" },
    }],
    [{ artifactory: { repoURL: "https://h/r", keyFormat: "f" } }, { artifactory: { url: "https://h/r/f" } }],
    [{ hdfs: { addresses: ["a"], pathFormat: "/f", force: true } }, {
      hdfs: { addresses: ["a"], force: true, path: "/f" },
    }],
    [{ archiveLogs: false, gcs: { bucket: "b" } }, {
      archiveLogs: false,
      gcs: { bucket: "b", key: "{{workflow.name}}/{{pod.name}}" },
    }],
    [{ s3: S3, gcs: { bucket: "b", keyFormat: "f" } }, { gcs: { bucket: "b", key: "f" } }],
    [{}, undefined],
    [{ archiveLogs: true }, { archiveLogs: true }],
  ];
  for (const [repository, location] of rows) assertEquals(locationOfRepository(repository), location);
  assertThrows(() => locationOfRepository({ hdfs: { addresses: ["a"] } }), LocationError, "must begin with a slash");
});

Deno.test("storeTextOf: is equal for the same store with other credentials, and differs for other stores", () => {
  const text = (location: Readonly<Record<string, unknown>>) => storeTextOf(placeOf(location)!);
  const secret = { name: "a", key: "b" };
  const same: readonly (readonly Readonly<Record<string, unknown>>[])[] = [
    [
      { s3: { endpoint: "s3.example", bucket: "b", key: "k" } },
      {
        s3: {
          endpoint: "S3.example/",
          bucket: "b",
          key: "other",
          accessKeySecret: secret,
          region: "eu",
          insecure: true,
        },
      },
    ],
    [
      { azure: { endpoint: "https://a.example", container: "c", blob: "k" } },
      { azure: { endpoint: "https://A.example:443/", container: "c", blob: "l", accountKeySecret: secret } },
    ],
    [
      { artifactory: { url: "https://a.example/one" } },
      { artifactory: { url: "https://user:word@a.example/two?x=1", usernameSecret: secret } },
    ],
    [
      { hdfs: { addresses: ["a:1", "b:1"], path: "/x" } },
      { hdfs: { addresses: ["b:1", "a:1"], path: "/y", krbKeytabSecret: secret } },
    ],
    [
      { git: { repo: "https://a.example/r", revision: "main" } },
      { git: { revision: "main", repo: "https://a.example/r" } },
    ],
  ];
  for (const [one = {}, other = {}] of same) assertEquals(text(one), text(other));
  const texts = same.map(([location = {}]) => text(location));
  const apart = [
    ...texts,
    text({ s3: { endpoint: "s3.example", bucket: "c", key: "k" } }),
    text({ s3: { endpoint: "s4.example", bucket: "b", key: "k" } }),
    text({ azure: { endpoint: "https://a.example/account", container: "c", blob: "k" } }),
    text({ azure: { endpoint: "https://a.exampleaccount", container: "c", blob: "k" } }),
    text({ git: { repo: "https://a.example/r", branch: "main" } }),
    text({ plugin: { name: "p", configuration: "1", key: "k" } }),
    text({ plugin: { name: "p", configuration: "2", key: "k" } }),
  ];
  assertEquals(new Set(apart).size, apart.length);
});
