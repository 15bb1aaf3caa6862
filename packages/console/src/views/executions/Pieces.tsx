/** A sentence of our words, strangers' words and moments. */
import { Fragment } from "preact"
import { Moment } from "../../parts/Moment.tsx"
import { Words } from "../../parts/Words.tsx"
import type { Piece } from "./Standing.ts"

export const Pieces = ({ of }: { readonly of: ReadonlyArray<Piece> }) => (
  <>
    {of.map((piece, at) => (
      <Fragment key={at}>
        {typeof piece === "string" ? (
          piece
        ) : piece._tag === "Words" ? (
          <Words text={piece.text} max={600} />
        ) : (
          <Moment at={piece.at} />
        )}
      </Fragment>
    ))}
  </>
)
