/** The path that an address of a file stands for: in the address, blanks and letters beyond ASCII are encoded. */
export function filePath(address: string | URL): string {
  return decodeURIComponent(new URL(address).pathname);
}
