{{- define "tiphys.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default "argo-workflows" .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "tiphys.controller" -}}
{{- printf "%s-%s" (include "tiphys.fullname" .) .Values.controller.name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "tiphys.server" -}}
{{- printf "%s-%s" (include "tiphys.fullname" .) .Values.server.name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "tiphys.controllerAccount" -}}
{{- default (include "tiphys.controller" .) .Values.controller.serviceAccount.name -}}
{{- end -}}

{{- define "tiphys.serverAccount" -}}
{{- default (include "tiphys.server" .) .Values.server.serviceAccount.name -}}
{{- end -}}

{{- define "tiphys.labels" -}}
app.kubernetes.io/part-of: tiphys
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "tiphys.image" -}}
{{- $pinned := get (include "tiphys.pinned" . | fromJson) (base .image.repository) -}}
{{- $tag := .image.tag | default .root.Values.images.tag | default $pinned | default .root.Chart.AppVersion -}}
{{- printf "%s/%s:%s" .image.registry .image.repository $tag -}}
{{- end -}}

{{- /* How unlike two names are: letters of one that the other has not, both ways. */ -}}
{{- define "tiphys.distance" -}}
{{- $distance := 0 -}}
{{- range list (list .one .other) (list .other .one) -}}
{{- $left := splitList "" (index . 1 | lower) -}}
{{- range splitList "" (index . 0 | lower) -}}
{{- $letter := . -}}
{{- if has $letter $left -}}
{{- $found := false -}}
{{- $rest := list -}}
{{- range $left -}}
{{- if and (eq . $letter) (not $found) -}}{{- $found = true -}}{{- else -}}{{- $rest = append $rest . -}}{{- end -}}
{{- end -}}
{{- $left = $rest -}}
{{- else -}}
{{- $distance = add1 $distance -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $distance -}}
{{- end -}}

{{- /* Refuses a value whose name nobody knows, and says which one is most like it. */ -}}
{{- define "tiphys.checkNames" -}}
{{- $known := .known -}}
{{- $path := .path -}}
{{- range $name, $value := .values -}}
{{- $full := ternary $name (printf "%s.%s" $path $name) (eq $path "") -}}
{{- if not (hasKey $known $name) -}}
{{- $best := "" -}}
{{- $least := 4 -}}
{{- range $other, $_ := $known -}}
{{- $distance := include "tiphys.distance" (dict "one" $name "other" $other) | int -}}
{{- if lt $distance $least -}}{{- $least = $distance -}}{{- $best = $other -}}{{- end -}}
{{- end -}}
{{- $meant := ternary "" (printf "; did you mean %s?" (ternary $best (printf "%s.%s" $path $best) (eq $path ""))) (eq $best "") -}}
{{- fail (printf "values: %s is not known to this chart%s" $full $meant) -}}
{{- else if kindIs "string" (get $known $name) -}}
{{- fail (printf "values: %s has no effect here: %s" $full (get $known $name)) -}}
{{- else if kindIs "map" $value -}}
{{- $below := get $known $name -}}
{{- if kindIs "map" $below -}}
{{- include "tiphys.checkNames" (dict "values" $value "known" $below "path" $full) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
