/** What several workers have measured, as one text for Prometheus: counts are added up, gauges say whose they are. */

export interface Measured {
  /** Null for workers that have ended: what they counted stays, and their gauges are gone. */
  readonly worker: number | null
  readonly text: string
}

interface Family {
  readonly head: Set<string>
  /** By the name with its labels. */
  readonly samples: Map<string, number>
}

const comment = /^# (?:HELP|TYPE) (\S+) ?(.*)$/

/** One text of all. */
export const mergedMetrics = (all: ReadonlyArray<Measured>): string => {
  const families = new Map<string, Family>()
  for (const { text, worker } of all) {
    let family: Family = { head: new Set(), samples: new Map() }
    let isGauge = false
    for (const line of text.split("\n")) {
      const [, name, said] = comment.exec(line) ?? []
      if (name !== undefined) {
        family = families.get(name) ?? { head: new Set(), samples: new Map() }
        families.set(name, family)
        family.head.add(line)
        if (line.startsWith("# TYPE")) isGauge = said === "gauge"
      } else if (line !== "" && !(isGauge && worker === null)) {
        const space = line.lastIndexOf(" ")
        const given = line.slice(0, space)
        const series = isGauge ? labelled(given, `worker="${worker}"`) : given
        family.samples.set(series, (family.samples.get(series) ?? 0) + Number(line.slice(space + 1)))
      }
    }
  }
  return [...families.values()]
    .filter(({ samples }) => samples.size > 0)
    .flatMap(({ head, samples }) => [...head, ...[...samples].map(([series, value]) => `${series} ${value}`)])
    .map((line) => `${line}\n`)
    .join("")
}

const labelled = (series: string, label: string): string =>
  series.endsWith("}") ? `${series.slice(0, -1)},${label}}` : `${series}{${label}}`
