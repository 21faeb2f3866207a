/**
 * Records, in the data folder, the objects that were being reconciled when the process ended. Without the record, an
 * object that crashes the process, for example by exhausting the memory, would do so after every start.
 *
 * A run records its passes only if the previous run was not closed, so normal runs have no cost. An object is set aside
 * when the process ended twice during passes over the same version of it, and released when it is changed.
 */
import { itemsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { keyOf, type KubeObject } from "@tiphys/kube";

/** The number of times that the process ends during passes over one version of an object before it is set aside. */
const MAX_ENDS = 2;
/** Time after its start during which a run records its passes, in milliseconds. */
const CAREFUL_MILLIS = 600_000;
/** Maximum number of objects that stay set aside; the oldest are dropped. */
const MAX_REFUSED = 1_000;

/** The options of a guard. */
export interface CrashGuardOptions {
  readonly dataDir: string;
  /** Receives a line for each object that is set aside. */
  readonly onNotice: (text: string) => void;
  readonly now?: () => number;
}

/** The content of the file. A pass is stored as `KIND NAMESPACE/NAME UID VERSION`. */
interface GuardState {
  /** Whether the run was not closed. */
  readonly isOpen: boolean;
  /** Passes in progress. */
  readonly passes: readonly string[];
  /** The number of times that the process ended during each pass. */
  readonly ends: ReadonlyMap<string, number>;
  /** Passes of objects that are set aside. */
  readonly refused: readonly string[];
}

/** The guard of one run of an embedded cluster. */
export class CrashGuard {
  readonly #file: string;
  readonly #now: () => number;
  readonly #passes = new Set<string>();
  readonly #ends: ReadonlyMap<string, number>;
  readonly #refused: ReadonlySet<string>;
  /** Time until which passes are recorded, in milliseconds since the epoch; 0 for a normal run. */
  #guardedUntil: number;

  /** Reads the record of the previous run, and starts a new one. */
  constructor({ dataDir, onNotice, now = Date.now }: CrashGuardOptions) {
    this.#file = crashGuardFile(dataDir);
    this.#now = now;
    const before = readState(this.#file);
    this.#guardedUntil = before.isOpen ? now() + CAREFUL_MILLIS : 0;
    this.#ends = new Map(before.passes.map((pass) => [pass, (before.ends.get(pass) ?? 0) + 1]));
    const refused = [...this.#ends].filter(([, count]) => count >= MAX_ENDS).map(([pass]) => pass);
    this.#refused = new Set([...before.refused, ...refused].slice(-MAX_REFUSED));
    for (const pass of refused) {
      const [kind, name] = pass.split(" ");
      onNotice(
        `The ${kind} ${name} is set aside: this process ended repeatedly during its passes. Change it to release it`,
      );
    }
    this.#write(true);
  }

  /**
   * Records that a pass over this version of an object starts.
   * @returns false if the version is set aside.
   */
  beginPass(kind: string, object: KubeObject): boolean {
    const pass = passKey(kind, object);
    if (this.#refused.has(pass)) return false;
    if (this.#guardedUntil === 0) return true;
    if (this.#now() < this.#guardedUntil) this.#passes.add(pass);
    else {
      this.#guardedUntil = 0;
      this.#passes.clear();
    }
    this.#write(true);
    return true;
  }

  /** Records that a pass has ended, with or without an error. */
  endPass(kind: string, object: KubeObject): void {
    if (this.#passes.delete(passKey(kind, object))) this.#write(true);
  }

  /** Records that the run is closed. Objects that are set aside remain so. */
  close(): void {
    this.#write(false);
  }

  /** Writes the record. If the disk is full, the cluster runs without it. */
  #write(isOpen: boolean): void {
    const state = {
      isOpen,
      passes: isOpen ? [...this.#passes] : [],
      ends: [...this.#ends],
      refused: [...this.#refused],
    };
    try {
      Deno.writeTextFileSync(this.#file, JSON.stringify(state), { mode: 0o600 });
    } catch { /* A full disk. */ }
  }
}

/** The file of the record in a data folder. */
function crashGuardFile(dataDir: string): string {
  return `${dataDir}/passes.json`;
}

function passKey(kind: string, object: KubeObject): string {
  const { uid, resourceVersion } = object.metadata;
  return `${kind} ${keyOf(object)} ${uid} ${resourceVersion}`;
}

/** Reads the record of the previous run. A missing or invalid file is an empty record. */
function readState(file: string): GuardState {
  let text = "";
  try {
    text = Deno.readTextFileSync(file);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const { isOpen, passes, ends, refused } = fieldsOfJson(text);
  return {
    isOpen: isOpen === true,
    passes: itemsOf(passes).map(String),
    ends: new Map(itemsOf(ends).map(itemsOf).map(([pass, count]) => [String(pass), Number(count)])),
    refused: itemsOf(refused).map(String),
  };
}
