/** An id, short where there is little room; all of it is in the title, and one copies all of it. */
import { shortId } from "../format/Ids.ts"

export const Id = ({ isWhole = false, of }: { readonly of: string; readonly isWhole?: boolean }) => (
  <code title={isWhole ? undefined : of}>{isWhole ? of : shortId(of)}</code>
)
