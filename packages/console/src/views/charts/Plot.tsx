/** The drawing of a chart. It stretches with its card; colours come from the style sheet. */
import { heightOf, rangeOf, type Scale } from "./Scales.ts"
import { isSparse, type Values } from "./Series.ts"
import type { TimeAxis } from "./TimeAxis.ts"

export interface ChartLine {
  readonly name: string
  readonly values: Values
  /** One of two lines is dashed, so that they differ by more than their colour. */
  readonly isDashed?: boolean
}

export interface PlotProps {
  readonly axis: TimeAxis
  readonly lines: ReadonlyArray<ChartLine>
  readonly form: "line" | "area" | "bars"
  readonly scale: Scale
  readonly words: (value: number) => string
  readonly marks: ReadonlyArray<string>
}

export const Plot = ({ axis, form, lines, marks, scale, words }: PlotProps) => {
  const range = rangeOf(
    scale,
    lines.map(({ values }) => values)
  )
  /** From above, in percent of the height. */
  const y = (value: number): number => round(100 * (1 - heightOf(scale, range, value)))
  const x = (at: string): number => round(axis.placeOf(at))
  const base = y(range.low)
  const barWidth = Math.max(0.4, Math.min(3, 70 / Math.max(1, axis.at.length)))
  const drawingOf = ({ isDashed = false, name, values }: ChartLine) => {
    const points = axis.at.flatMap((at, place) => {
      const value = values[place] ?? null
      return value === null ? [] : [[x(at), y(value)] as const]
    })
    if (form === "bars") {
      const bars = points.map(([px, py]) => `M${px - barWidth / 2} ${base}V${py}h${barWidth}V${base}z`)
      return <path key={name} class="bars" d={bars.join("")} />
    }
    const path = points.map(([px, py]) => `${px} ${py}`).join("L")
    return (
      <g key={name}>
        {form === "area" && points.length > 1 ? (
          <path class="wash" d={`M${points[0]?.[0]} ${base}L${path}V${base}z`} />
        ) : null}
        <path class={isDashed ? "line dashed" : "line"} d={path && `M${path}`} />
        {isSparse(values) ? (
          <path class="dots" d={points.map(([px, py]) => `M${px} ${py}h0`).join("")} />
        ) : null}
      </g>
    )
  }
  return (
    <>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="rule" d={range.splits.map((value) => `M0 ${y(value)}H100`).join("")} />
        <path
          class="moment"
          d={marks
            .map(x)
            .filter((at) => at >= 0 && at <= 100)
            .map((at) => `M${at} 0V${base}`)
            .join("")}
        />
        {lines.map(drawingOf)}
      </svg>
      {range.splits.map((value) => (
        <span key={value} class="height" aria-hidden="true" style={{ insetBlockStart: `${y(value)}%` }}>
          {words(value)}
        </span>
      ))}
      {axis.ticks.map((tick) => (
        <span key={tick.at} class="time" aria-hidden="true" style={{ insetInlineStart: `${x(tick.at)}%` }}>
          {tick.words}
        </span>
      ))}
    </>
  )
}

const round = (percent: number): number => Math.round(percent * 100) / 100
