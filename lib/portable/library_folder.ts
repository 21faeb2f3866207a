/** The folder in which Debian keeps the libraries of this machine's kind of processor. */
export const LIBRARY_FOLDER = `/usr/lib/${Deno.build.arch}-linux-gnu`;
