{{- /* Tags with digests by the names of images, as JSON: the build of a release writes them here. */ -}}
{{- define "tiphys.pinned" -}}{}{{- end -}}
