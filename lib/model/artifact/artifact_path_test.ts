import { assertEquals } from "@std/assert";
import { pathProblem } from "./artifact_path.ts";

Deno.test("pathProblem: rejects a path that leaves the folder before its first `..`", () => {
  const refused = ["/tmp/safe/../x", "/tmp/safe/..", "/tmp/safe/../safe", "/tmp/safe/a/../../safe2/x", "/a/../../etc"];
  for (const path of refused) {
    assertEquals(
      pathProblem({ name: "o", path }),
      "Artifact 'o' attempted to use a path containing '..'. Directory traversal is not permitted",
      path,
    );
  }
  const fine = ["/tmp/a", "/tmp/..a/b", "/tmp/a..", "/tmp/safe/../safe/x", undefined, ""];
  for (const path of fine) {
    assertEquals(pathProblem({ name: "o", ...(path === undefined ? {} : { path }) }), undefined, path);
  }
});
