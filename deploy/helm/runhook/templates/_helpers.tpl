{{- define "runhook.selector" -}}
app.kubernetes.io/name: runhook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "runhook.labels" -}}
{{ include "runhook.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "runhook.claim" -}}
{{ .Values.artifacts.existingClaim | default (printf "%s-artifacts" .Release.Name) }}
{{- end }}

{{/* What every pod has in common. */}}
{{- define "runhook.pod" -}}
automountServiceAccountToken: false
# For a Service named runhook, Kubernetes would set RUNHOOK_PORT in all pods of the namespace, to tcp://10.0.0.1:80.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  # Not every file of a large volume at each start.
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What every container has in common. The secrets are files, which `env` of a pod does not show. */}}
{{- define "runhook.container" -}}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "runhook.secrets" -}}
name: secrets
secret:
  secretName: {{ required "secret: name a Secret with database-url, secret-key and admin-key" .Values.secret }}
  defaultMode: 0440
{{- end }}
