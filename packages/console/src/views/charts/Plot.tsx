/** The drawing of a chart, as wide as its container. Colours come from the style sheet. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { zone } from "../../time/Zone.ts"
import { heightOf, namedTimes, nearest, rangeOf, type Scale } from "./Scales.ts"
import { isSparse, tickWords, type Values } from "./Series.ts"

export interface PlotLine {
  readonly values: Values
  /** One of two lines is dashed, so that they differ by more than their colour. */
  readonly isDashed?: boolean
}

export interface PlotProps {
  readonly title: string
  /** The start of each hour or day, in seconds. */
  readonly at: ReadonlyArray<number>
  readonly lines: ReadonlyArray<PlotLine>
  readonly form: "line" | "area" | "bars"
  readonly scale: Scale
  readonly words: (value: number) => string
  /** Times to mark, in seconds. */
  readonly marks: ReadonlyArray<number>
  /** The index below the pointer. */
  readonly point: number | null
  readonly onPoint: (place: number | null) => void
}

/** Size and margins in pixels; the margins hold the labels. */
const frame = { height: 128, top: 8, bottom: 24, left: 52, right: 8 }
const wordPx = 72

export const Plot = ({ at, form, lines, marks, onPoint, point, scale, title, words }: PlotProps) => {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])

  const [first = 0, last = first] = [at[0], at.at(-1)]
  const [innerWidth, innerHeight] = [
    width - frame.left - frame.right,
    frame.height - frame.top - frame.bottom
  ]
  const range = rangeOf(
    scale,
    lines.map(({ values }) => values)
  )
  const x = (moment: number): number =>
    round(frame.left + (last === first ? 0.5 : (moment - first) / (last - first)) * innerWidth)
  const y = (value: number): number => round(frame.top + (1 - heightOf(scale, range, value)) * innerHeight)
  const pointsOf = (values: Values) =>
    values.flatMap((value, index) => (value === null ? [] : [[x(at[index] ?? first), y(value)] as const]))
  const base = y(range.low)
  const barWidth = Math.max(2, Math.min(12, (innerWidth / Math.max(1, at.length)) * 0.7))
  const pointed = point === null ? undefined : at[point]

  return (
    <div
      class="plot"
      ref={place}
      role="img"
      aria-label={`${title}, as a chart. Its numbers are below.`}
      onPointerMove={({ offsetX }) =>
        onPoint(nearest(at, first + ((offsetX - frame.left) / innerWidth) * (last - first)))
      }
      onPointerLeave={() => onPoint(null)}
    >
      {width <= frame.left + frame.right ? null : (
        <svg width={width} height={frame.height} aria-hidden="true">
          {range.splits.map((value) => (
            <g key={value}>
              <path class="rule" d={`M${frame.left} ${y(value)}H${width - frame.right}`} />
              <text x={frame.left - 6} y={y(value) + 4} text-anchor="end">
                {words(value)}
              </text>
            </g>
          ))}
          {namedTimes(at, { dayOf, max: innerWidth / wordPx }).map((each, _, all) => (
            <text key={each} x={x(each)} y={frame.height - 6} text-anchor="middle">
              {tickWords(each, all, zone.value)}
            </text>
          ))}
          {marks
            .filter((mark) => mark >= first && mark <= last)
            .map((mark) => (
              <path key={mark} class="moment" d={`M${x(mark)} ${frame.top}V${base}`} />
            ))}
          {lines.map(({ isDashed = false, values }, index) => {
            const points = pointsOf(values)
            if (form === "bars") {
              return (
                <path
                  key={index}
                  class="bars"
                  d={points
                    .map(([px, py]) => `M${px - barWidth / 2} ${base}V${py}h${barWidth}V${base}z`)
                    .join("")}
                />
              )
            }
            const path = points.map(([px, py]) => `${px} ${py}`).join("L")
            return (
              <g key={index}>
                {form === "area" && points.length > 1 ? (
                  <path class="wash" d={`M${points[0]?.[0]} ${base}L${path}V${base}z`} />
                ) : null}
                <path class={isDashed ? "line dashed" : "line"} d={path && `M${path}`} />
                {isSparse(values)
                  ? points.map(([px, py]) => <circle key={px} class="dot" cx={px} cy={py} r="2.5" />)
                  : null}
              </g>
            )
          })}
          {pointed === undefined ? null : <path class="rule" d={`M${x(pointed)} ${frame.top}V${base}`} />}
        </svg>
      )}
    </div>
  )
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10

/** The day of an instant, in the zone of the page. */
const dayOf = (at: number): string =>
  new Date(at * 1_000).toLocaleDateString("en-GB", zone.value === "utc" ? { timeZone: "UTC" } : {})
