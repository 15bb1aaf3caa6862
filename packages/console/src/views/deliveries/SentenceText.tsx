/** Renders a sentence of a rule. */
import { Moment, UntrustedText } from "../../parts/Parts.ts"
import type { Piece, Sentence } from "./Sentence.ts"

export const SentenceText = ({ of }: { readonly of: Sentence }) => (
  <>
    {of.map((piece, at) => (
      <Part key={at} of={piece} />
    ))}
  </>
)

const Part = ({ of: piece }: { readonly of: Piece }) => {
  if (typeof piece === "string") return <>{piece}</>
  if ("at" in piece) return <Moment at={piece.at} />
  if ("theirs" in piece) return <UntrustedText text={piece.theirs} max={600} />
  return "code" in piece ? <code>{piece.code}</code> : <a href={piece.href}>{piece.words}</a>
}
