/** The archive of an embedded cluster: a file of its data folder, which its controller fills. */
import type { OpenArchive } from "../../lib/archive/mod.ts";
import { systemClock } from "../../lib/clock/mod.ts";
import { silentLog } from "../../lib/log.ts";
import { UserError } from "../../lib/user_error.ts";
import { archiveFile } from "../../local/data_folder.ts";

/** The settings of the embedded archive: everything that is over is kept, for ever. */
export async function embeddedPersistence(dataDir: string) {
  return { archive: true, sqlite: { file: await archiveFile(dataDir) } };
}

/** The archive of a data folder, opened when it is first asked something. */
export class EmbeddedArchive {
  readonly #dataDir: string;
  #opened: Promise<OpenArchive> | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  open(): Promise<OpenArchive> {
    return this.#opened ??= openAt(this.#dataDir);
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }
}

async function openAt(dataDir: string): Promise<OpenArchive> {
  const { OpenArchive } = await import("../../lib/archive/mod.ts");
  const secret = () => Promise.reject(new UserError("a file has no secrets"));
  return await OpenArchive.open(await embeddedPersistence(dataDir), { clock: systemClock, log: silentLog, secret });
}
