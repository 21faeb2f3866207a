/** Packages that were written for Node call `require`, which a bundle does not have: gives them one before they load. */
export async function provideRequire(): Promise<void> {
  const { createRequire } = await import("node:module");
  Object.assign(globalThis, { require: createRequire("file:///") });
}
