/** The timeline as a chart: rows on one axis. The table below says the same to screen readers. */
import { Legend } from "../../parts/Parts.ts"
import { pathOf } from "../../shell/Shell.ts"
import { anchorOf, type Cut } from "./Axis.ts"
import type { Mark, Row, Timeline } from "./Timeline.ts"

const percent = (at: number): string => `${at.toFixed(2)}%`

export interface TimelineChartProps {
  readonly of: Timeline
  readonly chosen: number | undefined
  readonly onChoose: (moment: number) => void
}

export const TimelineChart = ({ chosen, of: { axis, rows }, onChoose }: TimelineChartProps) => (
  <ol class="rail" aria-label="What happened, on one axis">
    <li class="axis" aria-hidden="true">
      <span />
      <svg>
        {axis.ticks.map(({ at, words }) => (
          <text key={at} x={percent(at)} y="14" text-anchor={anchorOf(at)}>
            {words}
          </text>
        ))}
      </svg>
      <span />
    </li>
    {rows.map((row) => (
      <li key={row.key}>
        <span class="name">
          {row.eventId === undefined ? row.name : <a href={pathOf`/deliveries/${row.eventId}`}>{row.name}</a>}
        </span>
        <svg aria-hidden="true">
          {row.bars.map(({ from, to, tone }) => (
            <rect
              key={from}
              class={`bar ${tone}`}
              x={percent(axis.at(from))}
              width={percent(Math.max(0.4, axis.at(to) - axis.at(from)))}
              rx="3"
            />
          ))}
          {axis.cuts.map((cut) => (
            <CutShape key={cut.from} of={cut} />
          ))}
          {row.marks.map((mark) => (
            <MarkShape key={mark.at} of={mark} x={percent(axis.at(mark.at))} onChoose={onChoose} />
          ))}
          {chosen === undefined ? null : (
            <line class="here" x1={percent(axis.at(chosen))} x2={percent(axis.at(chosen))} y1="0" y2="100%" />
          )}
        </svg>
        <span class="end">{row.end}</span>
      </li>
    ))}
  </ol>
)

/** Quiet time is a band; a wait that is cut short is a gap in its bar. */
const CutShape = ({ of: { from, isWait, to, words } }: { readonly of: Cut }) => (
  <rect
    class={isWait ? "cut" : "fold"}
    x={percent(isWait ? (from + to) / 2 : from)}
    width={isWait ? "6" : percent(to - from)}
  >
    <title>{words}, drawn shorter</title>
  </rect>
)

interface MarkProps {
  readonly of: Mark
  readonly x: string
  readonly onChoose: (moment: number) => void
}

/** Attempts and ends are circles, hollow if unsuccessful; a screenshot is a small square that leads to it. */
const MarkShape = ({ of: { at, kind }, onChoose, x }: MarkProps) =>
  kind === "shot" ? (
    <rect class="shot" x={x} width="8" height="8" onClick={() => onChoose(at)} />
  ) : (
    <circle class={`rail-mark ${kind}`} cx={x} />
  )

const legend = [
  ["good", "delivered, completed"],
  ["failed", "attempt failed"],
  ["coming", "to come"]
] as const

/** A legend of the shapes in use. */
export const TimelineLegend = ({ of: { axis, rows } }: { readonly of: Timeline }) => {
  const kinds = new Set<string>(rows.flatMap(({ marks }: Row) => marks.map(({ kind }) => kind)))
  const shown = legend.filter(([kind]) => kinds.has(kind))
  const wait = axis.cuts.find(({ isWait }) => isWait)
  if (shown.length === 0 && axis.cuts.length === 0) return null
  return (
    <Legend
      of={[
        ...shown.map(([kind, words]) => [round(kind), words] as const),
        ...(axis.cuts.every(({ isWait }) => isWait)
          ? []
          : [[fold, "nothing happens, drawn shorter"] as const]),
        ...(wait === undefined
          ? []
          : [[gap, `${wait.words} of waiting, drawn shorter than to scale`] as const])
      ]}
    />
  )
}

const round = (kind: string) => <circle class={`rail-mark ${kind}`} cx="6" cy="6" r="4.5" />

const fold = <rect class="fold" width="12" height="12" />

const gap = (
  <>
    <rect class="bar queued" y="4" width="12" height="4" />
    <rect class="cut" x="4" width="4" height="12" />
  </>
)
