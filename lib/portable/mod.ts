/**
 * Making a program that starts anywhere: its sources as a bundle, and the libraries of the Deno that runs it. Used where images
 * are built, and by the embedded cluster, which has a folder in place of an image.
 *
 * @module
 */
export * from "./bundle.ts";
export { compileAhead } from "./compile_ahead.ts";
export * from "./copy_libraries.ts";
export * from "./library_folder.ts";
export * from "./newest_change.ts";
export * from "./run_bundler.ts";
