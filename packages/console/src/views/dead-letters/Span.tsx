/** A time span; a single time if both ends read the same. */
import { Moment, prose } from "../../parts/Parts.ts"

/** Without fractions of a second, which are not shown. */
const second = (at: string | null): string => at?.slice(0, 19) ?? ""

export const Span = ({ from, to }: { readonly from: string | null; readonly to: string | null }) =>
  second(from) === second(to) ? <Moment at={from} /> : prose`${<Moment at={from} />} to ${<Moment at={to} />}`
