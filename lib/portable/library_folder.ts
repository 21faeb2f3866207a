/** The folder of libraries on Debian for the processor of this machine. */
export const LIBRARY_FOLDER = `/usr/lib/${Deno.build.arch}-linux-gnu`;
