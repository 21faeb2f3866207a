import { assertEquals, assertThrows } from "@std/assert";
import { imageIdentity, UnknownUser } from "./image_identity.ts";

const root = await Deno.makeTempDir();
await Deno.mkdir(`${root}/etc`);
await Deno.writeTextFile(
  `${root}/etc/passwd`,
  "root:x:0:0:root:/root:/bin/sh\napp:x:1000:1001::/srv/app:/bin/sh\n",
);
await Deno.writeTextFile(`${root}/etc/group`, "root:x:0:\napp:x:1001:\nextra:x:77:app,other\n");

const rows = [
  ["no user: root", {}, [0, 0, [0], "/root"]],
  ["the image has a name", { imageUser: "app" }, [1000, 1001, [1001, 77], "/srv/app"]],
  ["the image has a number", { imageUser: "1000" }, [1000, 1001, [1001, 77], "/srv/app"]],
  ["the image has an unknown number", { imageUser: "4242" }, [4242, 0, [0], "/"]],
  ["the image has user and group", { imageUser: "app:extra" }, [1000, 77, [77], "/srv/app"]],
  ["the pod's user takes precedence over the image's", { imageUser: "app:extra", user: 0 }, [0, 0, [0], "/root"]],
  ["the pod's group takes precedence over all others", { imageUser: "app", group: 5 }, [1000, 5, [5, 77], "/srv/app"]],
] as const;

for (const [rule, { ...wanted }, [user, group, groups, home]] of rows) {
  Deno.test(`imageIdentity(): ${rule}`, () => {
    const identity = imageIdentity(root, { user: undefined, group: undefined, imageUser: "", ...wanted });
    assertEquals(identity, { user, group, groups: [...groups], home });
  });
}

Deno.test("imageIdentity: refuses an unknown name", () => {
  const wanted = { user: undefined, group: undefined, imageUser: "ghost" };
  assertThrows(() => imageIdentity(root, wanted), UnknownUser, "unable to find user ghost");
});
