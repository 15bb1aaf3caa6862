/** The last seven days, as four charts. */
import type { UsageItem, UsageTotal } from "@runhook/sdk/admin"
import { countWords, durationWords, shareWords } from "../../format/Amounts.ts"
import { Chart, type ChartMark } from "../charts/Chart.tsx"
import { arrivedShare, backlog, newDead } from "../charts/Series.ts"

export interface TrendsProps {
  /** By hour, oldest first. */
  readonly items: ReadonlyArray<UsageItem>
  /** The totals of the last 24 hours. */
  readonly day: UsageTotal | undefined
  readonly queuedNow: number
  readonly marks: ReadonlyArray<ChartMark>
}

const share = (value: number): string => `${Number((value * 100).toFixed(value > 0.9 && value < 1 ? 1 : 0))}%`

const timesOf = (day: UsageTotal | undefined): string => {
  const known = [day?.to_start_ms.p50, day?.to_finish_ms.p50].flatMap((ms) =>
    ms === null || ms === undefined ? [] : [durationWords(ms)]
  )
  return known.length === 0 ? "none" : known.join(", ")
}

export const Trends = ({ day, items, marks, queuedNow }: TrendsProps) => {
  const at = items.map((item) => item.at)
  const { delivered = 0, failed_attempts: failed = 0, dead = 0 } = day?.callbacks ?? {}
  const common = { at, marks }
  return (
    <section aria-labelledby="trends">
      <h2 id="trends" class="gapped">
        Last 7 days, by hour
      </h2>
      <div class="charts">
        <Chart
          {...common}
          title="Callbacks that arrive"
          sub="of all attempts, 24 h"
          large={shareWords(delivered, delivered + failed)}
          form="line"
          scale="share"
          words={share}
          lines={[{ name: "Arrived", values: arrivedShare(items) }]}
        />
        <Chart
          {...common}
          title="Time to start, time to finish"
          sub="median, 24 h"
          large={timesOf(day)}
          form="line"
          scale="duration"
          words={durationWords}
          lines={[
            { name: "To finish", values: items.map(({ to_finish_ms }) => to_finish_ms.p50) },
            { name: "To start", values: items.map(({ to_start_ms }) => to_start_ms.p50), isDashed: true }
          ]}
        />
        <Chart
          {...common}
          title="Executions waiting"
          sub="to begin, now"
          large={countWords(queuedNow)}
          form="area"
          scale="count"
          words={(value) => countWords(Math.round(value))}
          lines={[{ name: "Waiting", values: backlog(items, queuedNow) }]}
        />
        <Chart
          {...common}
          title="New dead letters"
          sub="24 h"
          large={countWords(dead)}
          form="bars"
          scale="count"
          words={(value) => countWords(Math.round(value))}
          lines={[{ name: "Dead letters", values: newDead(items) }]}
        />
      </div>
    </section>
  )
}
