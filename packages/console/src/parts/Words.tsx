/** What strangers wrote: always text, kept apart from ours, with marks for what nobody would see. */
import { useState } from "preact/hooks"
import { countWords } from "../format/Amounts.ts"
import { cut, segmentsOf } from "../format/Hidden.ts"

export interface WordsProps {
  readonly text: string
  /** Longest text that is shown at first. Default: 200 characters. */
  readonly max?: number
  /** For a cell or a link: cut without a button, the rest is in the title. */
  readonly isBrief?: boolean
  /** Class of the element around, as `clip`. */
  readonly class?: string
}

export const Words = ({ class: name, isBrief = false, max = 200, text }: WordsProps) => {
  const [isWhole, setWhole] = useState(false)
  const isCut = text.length > max && !isWhole
  const shown = isCut ? cut(text, max) : text
  return (
    <>
      <bdi class={name === undefined ? "strange" : `strange ${name}`}>
        {segmentsOf(shown).map((segment, at) =>
          segment._tag === "Text" ? (
            segment.text
          ) : (
            <i key={at} title="A hidden character, shown as a mark">
              {segment.name}
            </i>
          )
        )}
        {isCut ? "…" : null}
      </bdi>
      {isCut && !isBrief ? (
        <>
          {" "}
          <button type="button" class="inline" onClick={() => setWhole(true)}>
            Show all {countWords(text.length)}
          </button>
        </>
      ) : null}
    </>
  )
}
