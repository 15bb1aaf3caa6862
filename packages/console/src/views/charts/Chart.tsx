/** A small chart: a headline number, lines, marks for changes, and a table of the values. */
import type { ComponentChild } from "preact"
import { useId, useMemo, useState } from "preact/hooks"
import { Moment, Table } from "../../parts/Parts.ts"
import { Plot, type PlotProps } from "./Plot.tsx"
import { indexAt } from "./TimeAxis.ts"
import "./charts.css"

export interface ChartProps extends PlotProps {
  readonly title: string
  readonly sub?: ComponentChild
  /** The current value. */
  readonly large: ComponentChild
}

export const Chart = ({ axis, form, large, lines, marks, scale, sub, title, words }: ChartProps) => {
  const [point, setPoint] = useState<number | null>(null)
  const [isOpen, setOpen] = useState(false)
  const caption = useId()
  const pointed = point === null ? undefined : axis.at[point]
  // Drawn again only for other values, since what is around it changes every second.
  const plot = useMemo(
    () => <Plot {...{ axis, form, lines, marks, scale, words }} />,
    [axis, form, lines, marks, scale, words]
  )
  return (
    <figure class="chart card" aria-labelledby={caption}>
      <figcaption id={caption}>
        <span>{title}</span>
        <span class="quiet small">
          {pointed === undefined || point === null ? (
            sub
          ) : (
            <>
              <Moment at={pointed} />:{" "}
              {lines.map(({ values }) => valueWords(values[point], words)).join(", ")}
            </>
          )}
        </span>
      </figcaption>
      <p class="large num">{large}</p>
      <div
        class="plot"
        role="img"
        aria-label={`${title}, as a chart. Its numbers are below.`}
        onPointerMove={({ currentTarget, offsetX }) =>
          setPoint(indexAt(axis, (100 * offsetX) / currentTarget.clientWidth))
        }
        onPointerLeave={() => setPoint(null)}
      >
        {plot}
        {pointed === undefined ? null : (
          <span class="pointed" style={{ insetInlineStart: `${axis.placeOf(pointed)}%` }} />
        )}
      </div>
      {lines.length < 2 ? null : (
        <p class="chart-key small quiet">
          {lines.map(({ isDashed = false, name }) => (
            <span key={name} class={isDashed ? "dashed" : undefined}>
              {name}
            </span>
          ))}
        </p>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show the numbers</summary>
        {isOpen ? <Numbers {...{ axis, lines, title, words }} /> : null}
      </details>
    </figure>
  )
}

const valueWords = (value: number | null | undefined, words: (value: number) => string): string =>
  value === null || value === undefined ? "none" : words(value)

const Numbers = ({ axis, lines, title, words }: Pick<ChartProps, "axis" | "lines" | "title" | "words">) => (
  <div class="numbers">
    <Table
      label={`${title}: numbers`}
      items={axis.at.map((at, place) => ({ at, place })).toReversed()}
      idOf={({ at }) => at}
      columns={[
        { head: "From", isRowHead: true, cell: startOf },
        ...lines.map(({ name, values }) => ({
          head: name,
          class: "end num",
          cell: ({ place }: { readonly place: number }) => valueWords(values[place], words)
        }))
      ]}
    />
  </div>
)

const startOf = ({ at }: { readonly at: string }) => <Moment at={at} />
