/** Packages that were written for Node call `require`, which a bundle does not have: gives them one before they load. */
export async function provideRequire(): Promise<void> {
  const { createRequire } = await import("node:module");
  // A script of the image has no import.meta to name itself by; the packages ask for modules of Node's alone.
  Object.assign(globalThis, { require: createRequire("file:///") });
}
