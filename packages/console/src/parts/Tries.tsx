/** Attempts at a glance: bars failed, a round one delivered, hollow ones are still to come. */

export interface TriesProps {
  readonly failed: number
  readonly delivered?: number
  readonly toCome?: number
}

/** More marks than this are no glance any more. */
const marksMax = 24

export const Tries = ({ delivered = 0, failed, toCome = 0 }: TriesProps) => {
  const marks = [
    ...Array<undefined>(failed).fill(undefined),
    ...Array<string>(delivered).fill("y"),
    ...Array<string>(toCome).fill("n")
  ].slice(0, marksMax)
  return (
    <span class="tries" role="img" aria-label={triesWords({ failed, delivered, toCome })}>
      {marks.map((mark, at) => (
        <b key={at} class={mark} />
      ))}
    </span>
  )
}

const triesWords = ({ delivered, failed, toCome }: Required<TriesProps>): string =>
  [
    failed > 0 ? `${failed} failed` : "",
    delivered > 0 ? `${delivered} delivered` : "",
    toCome > 0 ? `${toCome} to come` : ""
  ]
    .filter(Boolean)
    .join(", ") || "none yet"
