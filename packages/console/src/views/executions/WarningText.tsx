/** Renders a sentence of a warning. */
import { Fragment } from "preact"
import { Moment } from "../../parts/Moment.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import type { Piece } from "./Warnings.ts"

export const WarningText = ({ of }: { readonly of: ReadonlyArray<Piece> }) => (
  <>
    {of.map((piece, at) => (
      <Fragment key={at}>
        {typeof piece === "string" ? (
          piece
        ) : piece._tag === "Words" ? (
          <UntrustedText text={piece.text} max={600} />
        ) : (
          <Moment at={piece.at} />
        )}
      </Fragment>
    ))}
  </>
)
