/** The index of artifacts: objects, their blocks, and the number of users of each block. */
import { textFieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { DatabaseSync } from "node:sqlite";

/** A block of an object: its checksum and its size. */
export type Block = readonly [sum: string, bytes: number];

/** An object without its content. */
export interface StoredObject {
  readonly size: number;
  /** Changes with the content. Without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** The stored headers, with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly blocks: readonly Block[];
}

/** A part of an upload. */
export interface StoredPart {
  readonly etag: string;
  /** In the form of S3; empty for a part that an earlier version received, and for a copy. */
  readonly crc32: string;
  readonly size: number;
  readonly blocks: readonly Block[];
}

/** An object in a list. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly modified: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    namespace TEXT NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, modified INTEGER NOT NULL,
    headers TEXT NOT NULL, blocks TEXT NOT NULL, PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blocks (
    sum TEXT PRIMARY KEY, size INTEGER NOT NULL, users INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, namespace TEXT NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, etag TEXT NOT NULL, size INTEGER NOT NULL, blocks TEXT NOT NULL,
    crc32 TEXT NOT NULL DEFAULT '', PRIMARY KEY (upload, number)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** A row of SQLite. */
type Row = Record<string, string | number>;

/** @throws {Error} for headers that this program did not write. */
function parseHeaders({ headers }: Row): Readonly<Record<string, string>> {
  const fields = fieldsOfJson(String(headers));
  const texts = { ...textFieldsOf(fields) };
  if (Object.keys(texts).length === Object.keys(fields).length) return texts;
  throw new Error("The index of artifacts has invalid headers");
}

/** @throws {Error} for blocks that this program did not write. */
function parseBlocks({ blocks }: Row): readonly Block[] {
  const value: unknown = JSON.parse(String(blocks));
  if (Array.isArray(value) && value.every(isBlock)) return value;
  throw new Error("The index of artifacts has invalid blocks");
}

function isBlock(value: unknown): value is Block {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";
}

function partOf(row: Row): StoredPart {
  return { etag: String(row.etag), crc32: String(row.crc32), size: Number(row.size), blocks: parseBlocks(row) };
}

/** The index in one file. */
export class ObjectIndex implements Disposable {
  readonly #database: DatabaseSync;
  #bytes: number;

  /** @throws {Error} if another process uses the file, or it is not an index. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    try {
      this.#database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
      this.#database.exec(schema);
      const columns = this.#database.prepare("PRAGMA table_info(parts)").all() as Row[];
      if (!columns.some(({ name }) => name === "crc32")) {
        this.#database.exec("ALTER TABLE parts ADD COLUMN crc32 TEXT NOT NULL DEFAULT ''");
      }
      this.#bytes = Number(this.#queryRow("SELECT coalesce(sum(size), 0) AS bytes FROM blocks WHERE users > 0")?.bytes);
    } catch (error) {
      this.#database.close();
      throw new Error(`Could not open the index of artifacts "${path}": ${(error as Error).message}`, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Total size of all used blocks, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a persistent value. Stores the result of `make` if it is missing. */
  setting(name: string, make: () => string): string {
    const found = this.#queryRow("SELECT value FROM settings WHERE name = ?", name);
    if (found) return String(found.value);
    const value = make();
    this.#execute("INSERT INTO settings (name, value) VALUES (?, ?)", name, value);
    return value;
  }

  changeSetting(name: string, value: string): void {
    this.#execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", name, value);
  }

  object(namespace: string, key: string): StoredObject | undefined {
    const row = this.#queryRow("SELECT * FROM objects WHERE namespace = ? AND key = ?", namespace, key);
    return row && {
      size: Number(row.size),
      etag: String(row.etag),
      modified: Number(row.modified),
      headers: parseHeaders(row),
      blocks: parseBlocks(row),
    };
  }

  /** Lists objects whose keys start with a prefix, after a key, in byte order of their keys. */
  page(namespace: string, prefix: string, after: string, max: number): ListedObject[] {
    const rows = this.#database.prepare(
      "SELECT key, size, etag, modified FROM objects WHERE namespace = ? AND key >= ? AND key > ? ORDER BY key LIMIT ?",
    ).all(namespace, prefix, after, max) as Row[];
    const listed: ListedObject[] = [];
    for (const { key, size, etag, modified } of rows) {
      if (!String(key).startsWith(prefix)) break;
      listed.push({ key: String(key), size: Number(size), etag: String(etag), modified: Number(modified) });
    }
    return listed;
  }

  /** Whether an object or upload uses a block. */
  isUsed(sum: string): boolean {
    return Number(this.#queryRow("SELECT users FROM blocks WHERE sum = ?", sum)?.users ?? 0) > 0;
  }

  /** Stores an object, and replaces an existing one. @returns the checksums of blocks that are no longer used. */
  put(namespace: string, key: string, object: StoredObject): string[] {
    return this.#inTransaction(() => this.#replace(namespace, key, object));
  }

  /** Removes objects; missing keys are ignored. Returns the same as {@link put}. */
  remove(namespace: string, keys: readonly string[]): string[] {
    return this.#inTransaction(() =>
      keys.flatMap((key) => {
        const old = this.object(namespace, key);
        this.#execute("DELETE FROM objects WHERE namespace = ? AND key = ?", namespace, key);
        return this.#release(old?.blocks ?? []);
      })
    );
  }

  /** Starts a multipart upload. */
  begin(namespace: string, key: string, headers: Readonly<Record<string, string>>): string {
    const id = crypto.randomUUID();
    const text = JSON.stringify(headers);
    this.#execute("INSERT INTO uploads (id, namespace, key, headers) VALUES (?, ?, ?, ?)", id, namespace, key, text);
    return id;
  }

  /** Returns the headers for the object of an upload; undefined for an unknown upload. */
  upload(
    namespace: string,
    key: string,
    id: string,
  ): { readonly headers: Readonly<Record<string, string>> } | undefined {
    const row = this.#queryRow("SELECT * FROM uploads WHERE id = ? AND namespace = ? AND key = ?", id, namespace, key);
    return row && { headers: parseHeaders(row) };
  }

  /** Lists the keys and IDs of uploads in progress. */
  uploads(namespace: string): { readonly key: string; readonly id: string }[] {
    const rows = this.#database.prepare("SELECT key, id FROM uploads WHERE namespace = ? ORDER BY key, id").all(
      namespace,
    );
    return (rows as Row[]).map(({ key, id }) => ({ key: String(key), id: String(id) }));
  }

  putPart(upload: string, number: number, { etag, size, blocks, crc32 }: StoredPart): string[] {
    return this.#inTransaction(() => {
      const old = this.part(upload, number);
      this.#countUse(blocks);
      this.#execute(
        "INSERT OR REPLACE INTO parts (upload, number, etag, size, blocks, crc32) VALUES (?, ?, ?, ?, ?, ?)",
        upload,
        number,
        etag,
        size,
        JSON.stringify(blocks),
        crc32,
      );
      return this.#release(old?.blocks ?? []);
    });
  }

  part(upload: string, number: number): StoredPart | undefined {
    const row = this.#queryRow("SELECT * FROM parts WHERE upload = ? AND number = ?", upload, number);
    return row && partOf(row);
  }

  /** Lists the parts of an upload after a number, in order. */
  parts(upload: string, after: number, max: number): (StoredPart & { readonly number: number })[] {
    const rows = this.#database.prepare("SELECT * FROM parts WHERE upload = ? AND number > ? ORDER BY number LIMIT ?")
      .all(upload, after, max) as Row[];
    return rows.map((row) => ({ number: Number(row.number), ...partOf(row) }));
  }

  /** Completes an upload: stores the object and removes the parts. */
  complete(namespace: string, key: string, id: string, object: StoredObject): string[] {
    return this.#inTransaction(() => [...this.#replace(namespace, key, object), ...this.#forget(id)]);
  }

  /** Aborts an upload. */
  abort(id: string): string[] {
    return this.#inTransaction(() => this.#forget(id));
  }

  /** Aborts all uploads. */
  abortAll(): string[] {
    const rows = this.#database.prepare("SELECT id FROM uploads").all() as Row[];
    return this.#inTransaction(() => rows.flatMap(({ id }) => this.#forget(String(id))));
  }

  /** Lists the namespaces that have objects or uploads. */
  namespaces(): string[] {
    const rows = this.#database.prepare(
      "SELECT namespace FROM objects UNION SELECT namespace FROM uploads ORDER BY namespace",
    ).all() as Row[];
    return rows.map(({ namespace }) => String(namespace));
  }

  /** Removes all objects and uploads of a namespace. */
  forgetNamespace(namespace: string): string[] {
    const keys = this.#database.prepare("SELECT key FROM objects WHERE namespace = ?").all(namespace) as Row[];
    const freed = this.remove(namespace, keys.map(({ key }) => String(key)));
    return [...freed, ...this.uploads(namespace).flatMap(({ id }) => this.abort(id))];
  }

  #replace(namespace: string, key: string, object: StoredObject): string[] {
    const old = this.object(namespace, key);
    this.#countUse(object.blocks);
    this.#execute(
      "INSERT OR REPLACE INTO objects (namespace, key, size, etag, modified, headers, blocks) VALUES (?, ?, ?, ?, ?, ?, ?)",
      namespace,
      key,
      object.size,
      object.etag,
      object.modified,
      JSON.stringify(object.headers),
      JSON.stringify(object.blocks),
    );
    return this.#release(old?.blocks ?? []);
  }

  #forget(id: string): string[] {
    const rows = this.#database.prepare("SELECT blocks FROM parts WHERE upload = ?").all(id) as Row[];
    this.#execute("DELETE FROM parts WHERE upload = ?", id);
    this.#execute("DELETE FROM uploads WHERE id = ?", id);
    return rows.flatMap((row) => this.#release(parseBlocks(row)));
  }

  #countUse(blocks: readonly Block[]): void {
    for (const [sum, size] of blocks) {
      const users = this.isUsed(sum);
      this.#execute(
        "INSERT INTO blocks (sum, size, users) VALUES (?, ?, 1) ON CONFLICT (sum) DO UPDATE SET users = users + 1",
        sum,
        size,
      );
      if (!users) this.#bytes += size;
    }
  }

  #release(blocks: readonly Block[]): string[] {
    const freed: string[] = [];
    for (const [sum, size] of blocks) {
      this.#execute("UPDATE blocks SET users = users - 1 WHERE sum = ?", sum);
      if (this.isUsed(sum)) continue;
      this.#execute("DELETE FROM blocks WHERE sum = ?", sum);
      this.#bytes -= size;
      freed.push(sum);
    }
    return freed;
  }

  /** Runs a function in a transaction. */
  #inTransaction<T>(act: () => T): T {
    const before = this.#bytes;
    this.#database.exec("BEGIN");
    try {
      const result = act();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#bytes = before;
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #queryRow(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#database.prepare(sql).get(...values) as Row | undefined;
  }

  #execute(sql: string, ...values: (string | number)[]): void {
    this.#database.prepare(sql).run(...values);
  }
}
