/** Attempts at a glance: bars for failed ones, a dot for the delivered one, hollow dots for those still to come. */

export interface AttemptDotsProps {
  readonly failed: number
  readonly delivered?: number
  readonly toCome?: number
}

/** Most marks that are shown. */
const marksMax = 24

export const AttemptDots = ({ delivered = 0, failed, toCome = 0 }: AttemptDotsProps) => {
  const marks = [
    ...Array<undefined>(failed).fill(undefined),
    ...Array<string>(delivered).fill("y"),
    ...Array<string>(toCome).fill("n")
  ].slice(0, marksMax)
  return (
    <span class="tries" role="img" aria-label={dotsLabel({ failed, delivered, toCome })}>
      {marks.map((mark, at) => (
        <b key={at} class={mark} />
      ))}
    </span>
  )
}

const dotsLabel = ({ delivered, failed, toCome }: Required<AttemptDotsProps>): string =>
  [
    failed > 0 ? `${failed} failed` : "",
    delivered > 0 ? `${delivered} delivered` : "",
    toCome > 0 ? `${toCome} to come` : ""
  ]
    .filter(Boolean)
    .join(", ") || "none yet"
