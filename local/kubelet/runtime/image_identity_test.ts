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
  ["nobody says anything: root", {}, [0, 0, [0], "/root"]],
  ["the image says a name", { imageUser: "app" }, [1000, 1001, [1001, 77], "/srv/app"]],
  ["the image says a number", { imageUser: "1000" }, [1000, 1001, [1001, 77], "/srv/app"]],
  ["the image says a number it does not know", { imageUser: "4242" }, [4242, 0, [0], "/"]],
  ["the image says user and group", { imageUser: "app:extra" }, [1000, 77, [77], "/srv/app"]],
  ["the pod's user comes before the image's", { imageUser: "app:extra", user: 0 }, [0, 0, [0], "/root"]],
  ["the pod's group comes before all others", { imageUser: "app", group: 5 }, [1000, 5, [5, 77], "/srv/app"]],
] as const;

for (const [rule, { ...wanted }, [user, group, groups, home]] of rows) {
  Deno.test(`imageIdentity(): ${rule}`, () => {
    const identity = imageIdentity(root, { user: undefined, group: undefined, imageUser: "", ...wanted });
    assertEquals(identity, { user, group, groups: [...groups], home });
  });
}

Deno.test("imageIdentity() refuses a name that the image does not know", () => {
  const wanted = { user: undefined, group: undefined, imageUser: "ghost" };
  assertThrows(() => imageIdentity(root, wanted), UnknownUser, "unable to find user ghost");
});
