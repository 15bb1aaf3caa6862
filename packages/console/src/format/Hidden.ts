/** Finds invisible characters in a text: controls, direction marks, zero-width characters. */

export type Segment =
  | { readonly _tag: "Text"; readonly text: string }
  /** Drawn as a mark with this name. */
  | { readonly _tag: "Mark"; readonly name: string }

/** By code, in hexadecimal. */
const names: { readonly [code: string]: string } = Object.fromEntries(
  (
    "0 NUL,7 BEL,8 BS,b VT,c FF,d CR,1b ESC,7f DEL,ad SHY,61c ALM,200b ZWSP,200c ZWNJ,200d ZWJ,200e LRM," +
    "200f RLM,2028 LS,2029 PS,202a LRE,202b RLE,202c PDF,202d LRO,202e RLO,2060 WJ,2066 LRI,2067 RLI," +
    "2068 FSI,2069 PDI,feff BOM,fffd ?"
  )
    .split(",")
    .map((each) => each.split(" "))
)

/** Line feeds and tabs are left alone, since they are visible where they matter. So are joiners between emoji. */
const hidden =
  /[^\P{Cc}\t\n]|[^\P{Cf}\u200d]|[\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2065\u3164\uffa0\ufffd\u{e0000}-\u{e007f}]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu

export const segmentsOf = (text: string): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  let end = 0
  for (const found of text.matchAll(hidden)) {
    // Windows line endings are harmless too.
    if (found[0] === "\r" && text[found.index + 1] === "\n") {
      segments.push({ _tag: "Text", text: text.slice(end, found.index) })
      end = found.index + 1
      continue
    }
    if (found.index > end) segments.push({ _tag: "Text", text: text.slice(end, found.index) })
    segments.push({ _tag: "Mark", name: nameOf(found[0]) })
    end = found.index + found[0].length
  }
  if (end < text.length) segments.push({ _tag: "Text", text: text.slice(end) })
  return segments
}

const nameOf = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return names[code] ?? `U+${code.toUpperCase().padStart(4, "0")}`
}

export const hasHidden = (text: string): boolean =>
  segmentsOf(text).some((segment) => segment._tag === "Mark")

/** The first `max` characters, never half of one. */
export const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? "") ? max - 1 : max
  return text.slice(0, end)
}

/** The same where only plain text may stand, as in the options of a select: marks are names in brackets. */
export const plainWords = (text: string, max = 60): string => {
  const shown = segmentsOf(cut(text, max)).map((segment) =>
    segment._tag === "Text" ? segment.text : `[${segment.name}]`
  )
  return text.length > max ? `${shown.join("")}…` : shown.join("")
}
