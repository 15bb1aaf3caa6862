/** Figures as people read them: medians, ratios, tables in Markdown. */

/** The middle one; of an even number, the higher of the two. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The one below which that share of them is. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

/** The median of one figure of several runs. */
export const medianOf = <A>(runs: ReadonlyArray<A>, figure: (run: A) => number): number =>
  median(runs.map(figure))

/** Three digits that matter, with thousands set apart. */
export const number = (value: number): string => {
  if (!Number.isFinite(value)) return "n/a"
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US")
  return String(Number(value.toPrecision(3)))
}

/** How many times the other the one is. */
export const ratio = (one: number, other: number): string =>
  Number.isFinite(one / other) ? `${(one / other).toFixed(2)} x` : "n/a"

/** The same of one figure of two sides that ran in turns: the median of what it was in each round. */
export const ratioOfRounds = <A>(
  runs: ReadonlyArray<A>,
  others: ReadonlyArray<A>,
  figure: (run: A) => number
): string =>
  ratio(
    median(
      runs.flatMap((run, round) => {
        const other = others[round]
        return other === undefined ? [] : [figure(run) / figure(other)]
      })
    ),
    1
  )

export type Row = Readonly<Record<string, string | number>>

/** Rows of the same columns. */
export const tableOf = (title: string, rows: ReadonlyArray<Row>): string => {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const cellOf = (value: string | number | undefined) =>
    typeof value === "number" ? number(value) : (value ?? "")
  return [
    "",
    `### ${title}`,
    "",
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(columns.map((column) => cellOf(row[column]))))
  ].join("\n")
}

export const printTable = (title: string, rows: ReadonlyArray<Row>): void => console.log(tableOf(title, rows))

/** Tells a person who waits how far it is. */
export const progress = (text: string): void => console.error(text)
