/** Opens links in the browser of this machine. */

/** Programs that open a file with its default application. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  linux: ["xdg-open"],
  darwin: ["open"],
};

/** The time for which the file is kept for the browser to read. */
const FILE_MILLIS = 20_000;

/**
 * Opens a link through a file that only this user can read: all users of a machine see the arguments of programs, and
 * the link grants access. Returns once the browser has had time to read the file, or when `ended` resolves. False if
 * there is no browser.
 */
export async function openLink(link: string, ended: Promise<unknown> = new Promise(() => {})): Promise<boolean> {
  const opener = OPENERS[Deno.build.os];
  const hasScreen = Deno.build.os !== "linux" || ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => Deno.env.get(name));
  if (!opener || !hasScreen) return false;
  const folder = await Deno.makeTempDir({ prefix: "tiphys-link-" });
  try {
    const file = `${folder}/open.html`;
    await Deno.writeTextFile(file, redirectPage(link), { mode: 0o600 });
    const [program = "", ...args] = [...opener, file];
    const child = new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" }).spawn();
    child.unref();
    const { success } = await Promise.race([child.status, ended.then(() => ({ success: true }))]);
    if (success) await waitAtMost(FILE_MILLIS, ended);
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Waits for a promise, but not longer than `millis` milliseconds. */
async function waitAtMost(millis: number, promise: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, millis);
  await Promise.race([promise, over]);
  clearTimeout(timer);
}

function redirectPage(link: string): string {
  const quoted = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
    `<meta http-equiv="refresh" content="0; url=${quoted}"><a href="${quoted}">The page of tiphys</a>`;
}
