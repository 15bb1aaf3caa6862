/** Four charts of a span that the user chooses. */
import type { UsageItem, UsageTotal } from "@runhook/sdk/admin"
import { useMemo } from "preact/hooks"
import { countWords, durationWords, shareWords } from "../../format/Amounts.ts"
import { Moment, UntrustedText } from "../../parts/Parts.ts"
import { zone } from "../../time/Zone.ts"
import { Chart, type ChartProps } from "../charts/Chart.tsx"
import { arrivedShare, backlog, newDead } from "../charts/Series.ts"
import { timeAxisOf } from "../charts/TimeAxis.ts"
import { spans, type UsageSpanChoice } from "../usage/UsageSpan.ts"
import type { ChangeMark } from "./OverviewQueries.ts"

export interface TrendsProps {
  readonly span: UsageSpanChoice
  /** The address with another span. */
  readonly href: (changes: { readonly span: string }) => string
  readonly queuedNow: number
  /** Undefined until it is loaded. */
  readonly of:
    | {
        /** By hour or day, oldest first. */
        readonly items: ReadonlyArray<UsageItem>
        readonly total: UsageTotal | undefined
        readonly marks: ReadonlyArray<ChangeMark>
      }
    | undefined
}

const share = (value: number): string => shareWords(value, 1)

const timesOf = (total: UsageTotal | undefined): string => {
  const known = [total?.to_start_ms.p50, total?.to_finish_ms.p50].flatMap((ms) =>
    ms === null || ms === undefined ? [] : [durationWords(ms)]
  )
  return known.length === 0 ? "none" : known.join(", ")
}

/** So many of the latest changes are named. */
const namedMax = 3

export const Trends = ({ href, of, queuedNow, span }: TrendsProps) => (
  <section aria-labelledby="trends">
    <div class="trends">
      <h2 id="trends">{span.words}</h2>
      <nav class="tabs" aria-label="Time span">
        {spans.slice(0, 3).map(({ name, words }) => (
          <a key={name} href={href({ span: name })} aria-current={name === span.name ? "true" : undefined}>
            {words.replace("Last ", "")}
          </a>
        ))}
      </nav>
    </div>
    {of === undefined ? <div class="charts" aria-busy="true" /> : <Charts {...of} queuedNow={queuedNow} />}
  </section>
)

const Charts = ({
  items,
  marks,
  queuedNow,
  total
}: NonNullable<TrendsProps["of"]> & { readonly queuedNow: number }) => {
  const shownZone = zone.value
  // Made again only for other values, since what is around them changes every second.
  const charts = useMemo(() => {
    const { dead = 0, delivered = 0, failed_attempts: failed = 0 } = total?.callbacks ?? {}
    const axis = timeAxisOf(
      items.map(({ at }) => at),
      shownZone
    )
    const drawn: ReadonlyArray<Omit<ChartProps, "axis" | "marks">> = [
      {
        title: "Delivery success rate",
        sub: "of all attempts",
        large: shareWords(delivered, delivered + failed),
        form: "line",
        scale: "share",
        words: share,
        lines: [{ name: "Delivered", values: arrivedShare(items) }]
      },
      {
        title: "Time to start, time to finish",
        sub: "median",
        large: timesOf(total),
        form: "line",
        scale: "duration",
        words: durationWords,
        lines: [
          { name: "To finish", values: items.map(({ to_finish_ms }) => to_finish_ms.p50) },
          { name: "To start", values: items.map(({ to_start_ms }) => to_start_ms.p50), isDashed: true }
        ]
      },
      {
        title: "Executions waiting",
        sub: "to start, now",
        large: countWords(queuedNow),
        form: "area",
        scale: "count",
        words: countWords,
        lines: [{ name: "Waiting", values: backlog(items, queuedNow) }]
      },
      {
        title: "New dead letters",
        large: countWords(dead),
        form: "bars",
        scale: "count",
        words: countWords,
        lines: [{ name: "Dead letters", values: newDead(items) }]
      }
    ]
    return drawn.map((chart) => ({ axis, marks: marks.map(({ at }) => at), ...chart }))
  }, [items, marks, queuedNow, total, shownZone])
  return (
    <>
      <div class="charts">
        {charts.map((chart) => (
          <Chart key={chart.title} {...chart} />
        ))}
      </div>
      {marks.length === 0 ? null : (
        <p class="marks small quiet">
          Marked, the latest first:{" "}
          {marks
            .slice(-namedMax)
            .toReversed()
            .map(({ at, words }) => (
              <span key={at}>
                <Moment at={at} /> <UntrustedText text={words} max={60} isBrief />
              </span>
            ))}
        </p>
      )}
    </>
  )
}
