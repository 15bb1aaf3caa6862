/** From when to when; one moment where both would read the same. */
import { Moment } from "../../parts/Moment.tsx"

export interface SpanProps {
  readonly from: string | null
  readonly to: string | null
}

/** Without the fraction of the second, which is not shown. */
const second = (at: string | null): string => at?.slice(0, 19) ?? ""

export const Span = ({ from, to }: SpanProps) =>
  second(from) === second(to) ? (
    <Moment at={from} />
  ) : (
    <>
      <Moment at={from} /> to <Moment at={to} />
    </>
  )
