/**
 * Provides `require` for packages that were written for Node. A bundle does not have it, so this must run before they
 * load.
 */
export async function provideRequire(): Promise<void> {
  const { createRequire } = await import("node:module");
  // A script in the image has no import.meta.url. The packages only require built-in modules of Node, so any base
  // works.
  Object.assign(globalThis, { require: createRequire("file:///") });
}
