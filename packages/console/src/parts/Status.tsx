/** A status as icon, word and colour; none of them carries the meaning alone. */
import { Icon } from "./Icon.tsx"
import { lookOf, type Tone } from "./Looks.ts"

export interface StatusProps {
  /** A status of the API, or one of this page. */
  readonly of: string
  /** Replaces the usual word, as in `Refuses (401)`. */
  readonly word?: string | undefined
  readonly tone?: Tone | undefined
}

export const Status = ({ of, tone, word }: StatusProps) => {
  const known = lookOf(of)
  return (
    <span class={`st ${tone ?? known.tone}`}>
      <Icon name={known.icon} />
      {word ?? known.word}
    </span>
  )
}
