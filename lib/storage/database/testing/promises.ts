/** Contract suites: tests of code over a database, run on each kind of server. */
import type { Database } from "../database.ts";
import { connect, SERVER_KINDS, type TestServer } from "./servers.ts";

/** Test cases by title, and the fixture of each. */
export interface Suite<Bench> {
  readonly title: string;
  /** Creates the tables as two concurrent controllers would: `another` is the connection of the second. */
  prepare(database: Database, another: Database): Promise<void>;
  /** Returns a fixture without data of the test case. */
  bench(database: Database, server: TestServer): Promise<Bench>;
  readonly promises: Readonly<Record<string, (bench: Bench) => Promise<void>>>;
}

/** Defines a test for each kind of server, with a step for each test case. */
export function testOnEachServer<Bench>({ title, prepare, bench, promises }: Suite<Bench>): void {
  for (const kind of SERVER_KINDS) {
    Deno.test({
      ...kind.test(title),
      async fn(t) {
        await using server = await kind.start();
        await using database = connect(server);
        await using another = connect(server);
        await prepare(database, another);
        for (const [name, promise] of Object.entries(promises)) {
          await t.step(name, async () => await promise(await bench(database, server)));
        }
      },
    });
  }
}
