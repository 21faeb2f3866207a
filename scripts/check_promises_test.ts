import { assertEquals } from "@std/assert";
import { floatingPromises } from "./check_promises.ts";

const SOURCE = `
async function work(): Promise<number> { return await Promise.resolve(1); }
function maybe(): Promise<void> | undefined { return undefined; }
function plain(): number { return 1; }
let kept: Promise<number>;
export async function main(): Promise<void> {
  work(); // 7
  work().then(() => {}); // 8
  (work()); // 9
  maybe(); // 10
  work().finally(() => {}); // 11
  true && work(); // 12
  await work();
  plain();
  void plain();
  void work();
  kept = work();
  const own = work();
  work().catch(() => {});
  void work().catch(() => {});
  work().then(() => {}, () => {});
  work().catch(() => {}).finally(() => {});
  await own;
  return maybe();
}
`;

Deno.test("floatingPromises: reports ignored promises, but not promises that are stored, caught or marked with void", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/main.ts`;
    await Deno.writeTextFile(file, SOURCE);
    const lines = floatingPromises([file], []).map(({ line }) => line);
    assertEquals(lines, [7, 8, 9, 10, 11, 12]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
