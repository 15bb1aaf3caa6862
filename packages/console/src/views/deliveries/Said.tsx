/** A sentence of a rule, as the page shows it. */
import { Moment } from "../../parts/Moment.tsx"
import { Words } from "../../parts/Words.tsx"
import type { Piece, Sentence } from "./Saying.ts"

export const Said = ({ of }: { readonly of: Sentence }) => (
  <>
    {of.map((piece, at) => (
      <Part key={at} of={piece} />
    ))}
  </>
)

const Part = ({ of: piece }: { readonly of: Piece }) => {
  if (typeof piece === "string") return <>{piece}</>
  if ("at" in piece) return <Moment at={piece.at} />
  if ("theirs" in piece) return <Words text={piece.theirs} isBrief max={120} />
  return "code" in piece ? <code>{piece.code}</code> : <a href={piece.href}>{piece.words}</a>
}
