/** Metrics, as Prometheus, the dashboard and the alerts see them. */
import { readFileSync } from "node:fs"

/** Metrics of the service that the dashboard and the alerts ask for. */
export const asked: ReadonlySet<string> = new Set(
  ["alerts.yaml", "dashboard.json"]
    .map((file) =>
      readFileSync(new URL(`../../../../deploy/helm/runhook/files/${file}`, import.meta.url), "utf8")
    )
    .join("\n")
    .match(/\b(?:runhook|process|nodejs)_[a-z0-9_]+/g)
)

interface Family {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly series: ReadonlyArray<string>
}

const kinds = /^(?:counter|gauge|histogram|summary|untyped)$/

/** Names of the series that a family of a type has. */
const suffixes = (type: string): ReadonlyArray<string> =>
  type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]

/** The families of a text, in their order. */
export const familiesIn = (text: string): ReadonlyArray<Family> => {
  const families = new Map<string, { name: string; help: string; type: string; series: Array<string> }>()
  let last = { name: "", help: "", type: "", series: new Array<string>() }
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, word, name = "", said = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (word === undefined) {
      last.series.push(line)
      continue
    }
    last = families.get(name) ?? { name, help: "", type: "", series: [] }
    families.set(name, last)
    if (word === "HELP") last.help = said
    else last.type = said
  }
  return [...families.values()]
}

/** Names that a query may ask for. */
export const queryableIn = (text: string): ReadonlySet<string> =>
  new Set(familiesIn(text).flatMap(({ name, type }) => suffixes(type).map((suffix) => `${name}${suffix}`)))

/** What `promtool check metrics` finds wrong, as far as it can happen here. */
export const problemsIn = (text: string): ReadonlyArray<string> =>
  familiesIn(text).flatMap(({ help, name, series, type }) => {
    const problems = {
      "has no help": help === "",
      "has no type": !kinds.test(type),
      "has no series": series.length === 0,
      "should end with _total": type === "counter" && !name.endsWith("_total"),
      "should not end with _total": type !== "counter" && name.endsWith("_total"),
      "has a suffix of histograms": /_(?:bucket|count|sum)$/.test(name),
      "has a label of histograms":
        type !== "histogram" && series.some((each) => /[{,](?:le|quantile)="/.test(each)),
      "has its type in its name": new RegExp(`_${type}(?:_|$)`).test(name),
      "has an odd name": !/^[a-z][a-z0-9_]*$/.test(name),
      "has no base unit":
        /_(?:ms|millis|milliseconds|microseconds|nanoseconds|s|sec|minutes|hours|days|kb|mb|gb|kilobytes|megabytes|percent)(?:_total)?$/.test(
          name
        ),
      "has series of other names": series.some(
        (each) => !suffixes(type).some((suffix) => /^[^{ ]+/.exec(each)?.[0] === `${name}${suffix}`)
      ),
      "has a series twice":
        new Set(series.map((each) => each.slice(0, each.lastIndexOf(" ")))).size < series.length,
      "has a value that is no number": series.some((each) => !/ (?:[-+]?(?:\d[\d.e+-]*|Inf)|NaN)$/.test(each))
    }
    return Object.entries(problems).flatMap(([problem, isThere]) => (isThere ? [`${name} ${problem}`] : []))
  })
