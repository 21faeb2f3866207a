/** Opens links in the browser of this machine. */

/** Programs that open a file with its default application. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  linux: ["xdg-open"],
  darwin: ["open"],
};

/** Time after which the browser has read the file. */
const FILE_MILLIS = 20_000;

/**
 * Opens a link through a file that only this user can read: the link grants access, and other users of the machine can see the
 * arguments of a program. Returns false if no browser is available.
 */
export async function openLink(link: string): Promise<boolean> {
  const opener = OPENERS[Deno.build.os];
  const hasScreen = Deno.build.os !== "linux" || ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => Deno.env.get(name));
  if (!opener || !hasScreen) return false;
  const folder = await Deno.makeTempDir({ prefix: "tiphys-link-" });
  try {
    const file = `${folder}/open.html`;
    await Deno.writeTextFile(file, redirect(link), { mode: 0o600 });
    const [program = "", ...args] = [...opener, file];
    const { success } = await new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" })
      .output();
    if (success) await new Promise((resolve) => setTimeout(resolve, FILE_MILLIS));
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function redirect(link: string): string {
  const quoted = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
    `<meta http-equiv="refresh" content="0; url=${quoted}"><a href="${quoted}">The page of tiphys</a>`;
}
