import type { ComponentChild } from "preact"

/** A text with elements in it, as a value: prose`Since ${<Moment at={at} />}.` */
export const prose = (
  strings: TemplateStringsArray,
  ...elements: ReadonlyArray<ComponentChild>
): ReadonlyArray<ComponentChild> => strings.flatMap((text, at) => [text, elements[at]])
