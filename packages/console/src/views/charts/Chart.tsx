/** A small chart: a headline number, lines, marks for changes, and a table of the values. */
import type { ComponentChild } from "preact"
import { useId, useState } from "preact/hooks"
import { Moment } from "../../parts/Moment.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { Plot, type PlotProps } from "./Plot.tsx"
import type { Values } from "./Series.ts"
import "./charts.css"

/** A change to mark on the time axis. */
export interface ChartMark {
  readonly at: string
  readonly words: string
}

export interface ChartLine {
  readonly name: string
  readonly values: Values
  readonly isDashed?: boolean
}

export interface ChartProps extends Pick<PlotProps, "form" | "scale" | "words"> {
  readonly title: string
  readonly sub?: ComponentChild
  /** The current value. */
  readonly large: ComponentChild
  /** The start of each hour or day, as an instant of the API. */
  readonly at: ReadonlyArray<string>
  readonly lines: ReadonlyArray<ChartLine>
  readonly marks?: ReadonlyArray<ChartMark>
}

const none: ReadonlyArray<ChartMark> = []

/** So many of the latest marks are named below the chart. */
const namedMax = 2

export const Chart = ({ at, form, large, lines, marks = none, scale, sub, title, words }: ChartProps) => {
  const [point, setPoint] = useState<number | null>(null)
  const [isOpen, setOpen] = useState(false)
  const caption = useId()
  const pointed = point === null ? undefined : at[point]
  const named = marks.slice(-namedMax)
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
      <Plot
        title={title}
        at={at.map(seconds)}
        lines={lines}
        form={form}
        scale={scale}
        words={words}
        marks={marks.map((mark) => seconds(mark.at))}
        point={point}
        onPoint={setPoint}
      />
      {lines.length < 2 ? null : (
        <p class="chart-key small quiet">
          {lines.map(({ isDashed = false, name }) => (
            <span key={name} class={isDashed ? "dashed" : undefined}>
              {name}
            </span>
          ))}
        </p>
      )}
      {named.length === 0 ? null : (
        <ul class="marks small quiet">
          {named.map((mark) => (
            <li key={mark.at}>
              <Moment at={mark.at} /> <UntrustedText text={mark.words} max={60} isBrief />
            </li>
          ))}
        </ul>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show the numbers</summary>
        {isOpen ? <Numbers at={at} lines={lines} title={title} words={words} /> : null}
      </details>
    </figure>
  )
}

const seconds = (at: string): number => Date.parse(at) / 1_000

const valueWords = (value: number | null | undefined, words: (value: number) => string): string =>
  value === null || value === undefined ? "none" : words(value)

const Numbers = ({ at, lines, title, words }: Pick<ChartProps, "at" | "lines" | "title" | "words">) => (
  <div class="scroll numbers" role="region" aria-label={`${title}: numbers`} tabIndex={0}>
    <table>
      <caption class="hide">{title}</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          {lines.map(({ name }) => (
            <th scope="col" class="end" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {at
          .map((each, place) => ({ each, place }))
          .toReversed()
          .map(({ each, place }) => (
            <tr key={each}>
              <th scope="row">
                <Moment at={each} />
              </th>
              {lines.map(({ name, values }) => (
                <td class="end num" key={name}>
                  {valueWords(values[place], words)}
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </div>
)
