import { assertEquals } from "@std/assert";
import { helmTag } from "./helm_template.ts";

Deno.test("helmTag: finds the objects, functions and control structures of Helm", () => {
  const texts = [
    ...["a: {{ .Values.image }}", "a: {{- .Release.Name }}", "a: {{ $.Chart.Version }}", 'a: "{{.Files.Get `b`}}"'],
    ...['a: {{ include "chart.name" . }}', "a: {{- toYaml .x | nindent 4 }}", "a: {{ tpl .x $ }}"],
    ...["  {{- if .x }}\n  a: 1", "{{ range .x }}", "\t{{- end }}", '{{- define "x" -}}'],
  ];
  assertEquals(texts.filter((text) => helmTag(text) === undefined), []);
  assertEquals(helmTag("a: 1\nb: {{ .Values.x }}"), { line: 2, column: 4 });
});

Deno.test("helmTag: tags of workflows and of other tools are not of Helm", () => {
  const texts = [
    ...["{{workflow.name}}", "{{ inputs.parameters.if }}", "{{=toJson(item)}}", "{{item.Values}}"],
    "docker inspect -f '{{.State}}' x; kubectl get pods -o go-template='{{range .items}}{{.metadata.name}}{{end}}'",
  ];
  assertEquals(texts.filter((text) => helmTag(text) !== undefined), []);
});
