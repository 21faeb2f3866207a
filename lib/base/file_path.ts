/** Returns the path of a file URL with percent-encoded characters decoded. */
export function filePath(address: string | URL): string {
  return decodeURIComponent(new URL(address).pathname);
}
