/** An id, shortened unless `isWhole`; the whole id is in its title, and is what gets copied. */
import { shortId } from "../format/Ids.ts"

export const Id = ({ isWhole = false, of }: { readonly of: string; readonly isWhole?: boolean }) => (
  <code title={isWhole ? undefined : of}>{isWhole ? of : shortId(of)}</code>
)
