/** Sentences as tests read them. */
import type { Sentence } from "../../../src/views/deliveries/Sentence.ts"

/** The sentence as plain text. */
export const plain = (sentence: Sentence): string =>
  sentence
    .map((piece) => {
      if (typeof piece === "string") return piece
      if ("at" in piece) return piece.at
      if ("theirs" in piece) return piece.theirs
      return "code" in piece ? piece.code : piece.words
    })
    .join("")
