import { assertEquals, assertStringIncludes } from "@std/assert";
import { FakeWorld } from "../testing/fake_world.ts";

const PLUGIN = `apiVersion: argoproj.io/v1alpha1
kind: ExecutorPlugin
metadata:
  name: hello
  annotations:
    workflows.argoproj.io/description: |
      This is the "hello world" plugin.
    workflows.argoproj.io/version: '>= v3.3'
  labels:
    a: b
spec:
  sidecar:
    automountServiceAccountToken: true
    container:
      command:
        - python
        - -u
        - -c
      image: python:alpine3.6
      name: hello-executor-plugin
      ports:
        - containerPort: 4355
      securityContext:
        runAsNonRoot: true
        runAsUser: 65534
      resources:
        requests:
          memory: "64Mi"
          cpu: "250m"
        limits:
          memory: "128Mi"
          cpu: "500m"
`;

/** The ConfigMap that Argo's CLI builds from that plugin, except for the style of quotes. */
const MADE = `# This is an auto-generated file. DO NOT EDIT
apiVersion: v1
data:
  sidecar.automountServiceAccountToken: "true"
  sidecar.container: |
    args:
    - |
      import json
      print("hi")
    command:
    - python
    - -u
    - -c
    image: python:alpine3.6
    name: hello-executor-plugin
    ports:
    - containerPort: 4355
    resources:
      limits:
        cpu: 500m
        memory: 128Mi
      requests:
        cpu: 250m
        memory: 64Mi
    securityContext:
      runAsNonRoot: true
      runAsUser: 65534
kind: ConfigMap
metadata:
  annotations:
    workflows.argoproj.io/description: |
      This is the "hello world" plugin.
    workflows.argoproj.io/version: ">= v3.3"
  labels:
    a: b
    workflows.argoproj.io/configmap-type: ExecutorPlugin
  name: hello-executor-plugin
`;

async function withFolder(files: Record<string, string>, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "plugin-" });
  try {
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("executor-plugin build: writes the same ConfigMap as Argo's CLI, and a README with installation instructions", async () => {
  await withFolder({ "plugin.yaml": PLUGIN, "server.py": 'import json\nprint("hi")\n' }, async (folder) => {
    using world = new FakeWorld();
    assertEquals(await world.run("executor-plugin", "build", folder), 0, world.errors);
    const map = `${folder}/hello-executor-plugin-configmap.yaml`;
    assertEquals(world.output, `${map} created\n${folder}/README.md created\n`);
    assertEquals(await Deno.readTextFile(map), MADE);
    const page = await Deno.readTextFile(`${folder}/README.md`);
    for (
      const words of ["# hello", "* Needs: >= v3.3", "* Image: python:alpine3.6", 'This is the "hello world" plugin.']
    ) {
      assertStringIncludes(page, words);
    }
    assertStringIncludes(page, "kubectl apply -f hello-executor-plugin-configmap.yaml");
  });
});

Deno.test("executor-plugin build: rejects an invalid plugin with the name of the file, and writes nothing", async () => {
  const refusals: Record<string, Record<string, string>> = {
    "file not found": {},
    "at least one port is mandatory": { "plugin.yaml": PLUGIN.replace(/ports:\n.*\n/, "ports: []\n") },
    "is not a valid object name": { "plugin.yaml": PLUGIN.replace("name: hello\n", "name: ../hello\n") },
    "found server.js, server.py": { "plugin.yaml": PLUGIN, "server.py": "", "server.js": "" },
    "expected one plugin": { "plugin.yaml": `${PLUGIN}---\n${PLUGIN}` },
  };
  for (const [words, files] of Object.entries(refusals)) {
    await withFolder(files, async (folder) => {
      using world = new FakeWorld();
      assertEquals(await world.run("executor-plugin", "build", folder), 2, words);
      assertStringIncludes(world.errors, words);
      assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, Object.keys(files).length);
    });
  }
});
