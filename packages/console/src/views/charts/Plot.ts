/** Draws with uPlot, which is loaded when the first chart is on the screen. Colours are those of the page. */
import type { AlignedData, Options, Plugin, default as UPlotClass } from "uplot"
import { zone } from "../../time/Zone.ts"
import { durationSplits, isSparse, tickWords, type Values } from "./Series.ts"

export interface PlotLine {
  readonly values: Values
  /** Of two lines one is dashed: nothing is told by colour alone. */
  readonly isDashed?: boolean
}

export interface Plotted {
  /** When each hour or day began, in seconds. */
  readonly at: ReadonlyArray<number>
  readonly lines: ReadonlyArray<PlotLine>
  readonly form: "line" | "area" | "bars"
  readonly scale: "count" | "duration" | "share"
  readonly words: (value: number) => string
  /** Moments to mark, in seconds. */
  readonly marks: ReadonlyArray<number>
  readonly onPoint: (place: number | null) => void
}

const heightPx = 128

/** A colour of the page as it is now, whichever scheme that is. */
const colourOf = (element: HTMLElement, token: string): string => {
  element.style.color = `var(--${token})`
  const { color } = getComputedStyle(element)
  element.style.color = ""
  return color
}

const thin = (colour: string): string => colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.14)")

/** Vertical lines where somebody changed something. */
const marking = (marks: ReadonlyArray<number>, colour: string): Plugin => ({
  hooks: {
    draw: ({ bbox, ctx, valToPos }) => {
      ctx.save()
      ctx.strokeStyle = colour
      ctx.lineWidth = devicePixelRatio
      ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
      for (const mark of marks) {
        const x = Math.round(valToPos(mark, "x", true))
        if (x < bbox.left || x > bbox.left + bbox.width) continue
        ctx.beginPath()
        ctx.moveTo(x, bbox.top)
        ctx.lineTo(x, bbox.top + bbox.height)
        ctx.stroke()
      }
      ctx.restore()
    }
  }
})

const yRange = (scale: Plotted["scale"]) => (_: UPlotClass, min: number | null, max: number | null) => {
  if (scale === "share") {
    const low = Math.min(0.9, Math.floor((min ?? 1) * 10) / 10)
    return [low, 1] satisfies [number, number]
  }
  if (scale === "count") return [0, Math.max(4, (max ?? 0) * 1.1)] satisfies [number, number]
  return [Math.max(1, (min ?? 10) / 2), Math.max(1_000, (max ?? 0) * 1.5)] satisfies [number, number]
}

const optionsOf = (uPlot: typeof UPlotClass, element: HTMLElement, plotted: Plotted): Options => {
  const { form, lines, marks, onPoint, scale, words } = plotted
  const [line, quiet, grid] = [
    colourOf(element, "link"),
    colourOf(element, "quiet"),
    colourOf(element, "line")
  ]
  const axis = { stroke: quiet, font: "11px system-ui, sans-serif", ticks: { show: false } }
  return {
    width: Math.max(160, element.clientWidth),
    height: heightPx,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 6 } },
    ...(zone.peek() === "utc"
      ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1_000), "Etc/UTC") }
      : {}),
    scales: {
      x: { time: true },
      y: { range: yRange(scale), ...(scale === "duration" ? { distr: 3 as const } : {}) }
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 64,
        gap: 4,
        values: (_, splits) => splits.map((at) => tickWords(at, splits, zone.peek()))
      },
      {
        ...axis,
        grid: { stroke: grid, width: 1 },
        size: 52,
        space: 32,
        gap: 4,
        values: (_, splits) => splits.map((value) => (value === null ? "" : words(value))),
        ...(scale === "duration"
          ? {
              splits: (_: UPlotClass, __: number, min: number, max: number) => durationSplits(min, max),
              filter: (_: UPlotClass, splits: Array<number>) => splits
            }
          : {})
      }
    ],
    series: [
      {},
      ...lines.map(({ isDashed = false, values }) => ({
        stroke: line,
        width: 1.75,
        spanGaps: true,
        points: { show: isSparse(values), size: 5, fill: line },
        ...(isDashed ? { dash: [5, 4] } : {}),
        ...(form === "line" ? {} : { fill: form === "bars" ? line : thin(line) }),
        ...(form === "bars" && uPlot.paths.bars !== undefined
          ? { paths: uPlot.paths.bars({ size: [0.7, 12, 2] }) }
          : {})
      }))
    ],
    plugins: [marking(marks, quiet)],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] }
  }
}

/** Draws into the element, and again when its width or the scheme changes. Answers how to end it. */
export const draw = async (element: HTMLElement, plotted: Plotted, signal: AbortSignal): Promise<void> => {
  const { uPlot } = await import("./UPlot.ts")
  if (signal.aborted) return
  // A scale of durations has no place for nothing at all.
  const lowest = plotted.scale === "duration" ? 1 : -Infinity
  const data: AlignedData = [
    [...plotted.at],
    ...plotted.lines.map(({ values }) =>
      values.map((value) => (value === null ? null : Math.max(lowest, value)))
    )
  ]
  let chart = new uPlot(optionsOf(uPlot, element, plotted), data, element)
  const again = () => {
    chart.destroy()
    chart = new uPlot(optionsOf(uPlot, element, plotted), data, element)
  }
  const scheme = matchMedia("(prefers-color-scheme: dark)")
  scheme.addEventListener("change", again, { signal })
  const sizes = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(160, element.clientWidth), height: heightPx })
  )
  sizes.observe(element)
  signal.addEventListener("abort", () => {
    sizes.disconnect()
    chart.destroy()
  })
}
