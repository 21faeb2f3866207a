/**
 * Portable programs: sources as a bundle, and the libraries of the Deno that runs it. Used to build images, and by the
 * embedded cluster, which has a folder instead of an image.
 *
 * @module
 */
export * from "./bundle.ts";
export { compileAhead } from "./compile_ahead.ts";
export * from "./copy_libraries.ts";
export * from "./library_folder.ts";
export * from "./newest_change.ts";
export * from "./run_bundler.ts";
