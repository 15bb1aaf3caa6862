/** Where measurements are sent, by OpenTelemetry's own names. */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { secretSetting, setting, settingWithDefault } from "./Setting.ts"
import * as Text from "./SettingText.ts"

/** `key=value,other=value`, whose values may be percent-encoded. */
const pairs: Text.Parse<Readonly<Record<string, string>>> = (text) => {
  const found = text
    .split(",")
    .filter((each) => each.trim() !== "")
    .map((each) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(each))
  const decoded = found.map((parts) =>
    Option.liftThrowable(decodeURIComponent)(parts?.[2] ?? "%").pipe(
      Option.map((value) => [parts?.[1] ?? "", value] as const)
    )
  )
  return Option.match(Option.all(decoded), {
    onNone: () => Result.fail("must be like key=value,other=value, with values that may be percent-encoded"),
    onSome: (entries) => Result.succeed(Object.fromEntries(entries))
  })
}

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

export type Sampler = (typeof samplers)[number]

export const telemetrySettings = {
  otlpEndpoint: setting({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: "unset: nothing is sent",
    meaning:
      "The URL of a collector of OpenTelemetry, such as `http://127.0.0.1:4318`, which gets all [metrics](watch.md#metrics) and [traces](watch.md#traces) as JSON over HTTP.",
    parse: Text.httpUrl
  }),
  otlpHeaders: secretSetting({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    default: "unset",
    meaning: "Headers of these requests, such as `authorization=Bearer%20…`.",
    parse: (text) => Result.map(pairs(text), Redacted.make)
  }),
  metricInterval: settingWithDefault({
    name: "OTEL_METRIC_EXPORT_INTERVAL",
    default: "60000",
    meaning: "Milliseconds between two of them.",
    parse: Text.wholeNumber(100, 3_600_000)
  }),
  tracesSampler: settingWithDefault({
    name: "OTEL_TRACES_SAMPLER",
    default: "parentbased_always_off",
    meaning:
      "Which [traces](watch.md#traces) are sent, by OpenTelemetry's names: all (`always_on`), none (`always_off`) or a share (`traceidratio`). With `parentbased_` before the name, that is for traces that begin here, and a trace of a caller is sent if the caller records it.",
    parse: Text.oneOf(...samplers)
  }),
  tracesShare: settingWithDefault({
    name: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    meaning: "That share, from 0 to 1.",
    parse: Text.share
  }),
  otelServiceName: settingWithDefault({
    name: "OTEL_SERVICE_NAME",
    default: "runhook",
    meaning: "What the service is called there.",
    parse: Text.anyText
  }),
  otelResource: setting({
    name: "OTEL_RESOURCE_ATTRIBUTES",
    default: "unset",
    meaning:
      "Attributes of this process there, such as `deployment.environment.name=production`. `service.version` and `service.instance.id`, which is new at each start, are added.",
    parse: pairs
  })
}
