/** Sentences with times, links and untrusted text, as data that rules can build and tests can read. */

export type Piece =
  | string
  /** An instant of the API. */
  | { readonly at: string }
  /** Untrusted text. */
  | { readonly theirs: string }
  /** A word of the API, or something to type. */
  | { readonly code: string }
  | { readonly words: string; readonly href: string }

export type Sentence = ReadonlyArray<Piece>

/** say`Waits until ${{ at }}.` */
export const say = (strings: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Sentence =>
  strings.flatMap((text, index) => {
    const piece = pieces[index]
    return [...(text === "" ? [] : [text]), ...(piece === undefined || piece === "" ? [] : [piece])]
  })
