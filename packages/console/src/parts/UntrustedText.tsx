/** Text from outside: never markup, isolated from the text around it, with marks for hidden characters. */
import { useState } from "preact/hooks"
import { countWords } from "../format/Amounts.ts"
import { cut, segmentsOf } from "../format/Hidden.ts"

export interface NameLinkProps extends Pick<UntrustedTextProps, "max" | "text"> {
  readonly href: string
}

/** A link under a name from outside. */
export const NameLink = ({ href, ...name }: NameLinkProps) => (
  <a href={href}>
    <UntrustedText {...name} isBrief />
  </a>
)

export interface UntrustedTextProps {
  readonly text: string
  /** Longest text that is shown before "Show all". Default: 200 characters. */
  readonly max?: number
  /** For a cell or a link: cut, without a button for the rest. */
  readonly isBrief?: boolean
  readonly class?: string
}

export const UntrustedText = ({ class: name, isBrief = false, max = 200, text }: UntrustedTextProps) => {
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
