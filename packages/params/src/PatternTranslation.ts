/**
 * Patterns of JavaScript in the syntax of RE2, with the meaning that ECMA-262 gives them. Every character is written by
 * its code point, so that nothing in a pattern has a meaning of RE2's own.
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp"
import * as Result from "effect/Result"
import { categoryOf } from "./UnicodeCategories.ts"

/** What RE2 has no form for. */
class Untranslatable extends Error {}

const parser = new RegExpParser({ ecmaVersion: 2025 })

/** The pattern in the syntax of RE2, or what in it has no form there. */
export const translate = ({ source, unicode, ignoreCase }: RegExp): Result.Result<string, string> =>
  Result.try({
    try: () => {
      const { alternatives } = parser.parsePattern(source, 0, source.length, { unicode })
      return written(alternatives, ignoreCase)
    },
    catch: (error) => (error instanceof Untranslatable ? error.message : "an unknown syntax")
  })

const codePoint = (value: number): string => `\\x{${value.toString(16)}}`

/** The members of a class, as they stand between its brackets. */
const ranges = {
  digit: "0-9",
  notDigit: "\\x{0}-/:-\\x{10ffff}",
  word: "0-9A-Z_a-z",
  notWord: "\\x{0}-/:-@\\[-\\^`\\{-\\x{10ffff}",
  // White space and line ends of ECMA-262: more than the ASCII ones that RE2 means by \s.
  space: "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}",
  notSpace:
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}",
  lineEnd: "\\n\\r\\x{2028}\\x{2029}",
  all: "\\x{0}-\\x{10ffff}"
}

const written = (
  alternatives: ReadonlyArray<AST.Alternative>,
  ignoreCase: boolean,
  dotAll = false
): string => {
  /** Cases are ignored in another way than in JavaScript by these. */
  const refuseWithCase = (raw: string) => {
    if (ignoreCase) throw new Untranslatable(`${raw} where case is ignored`)
  }

  const setOf = (set: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet): string => {
    switch (set.kind) {
      case "digit":
        return set.negate ? ranges.notDigit : ranges.digit
      case "space":
        return set.negate ? ranges.notSpace : ranges.space
      case "word":
        if (set.negate) refuseWithCase(set.raw)
        return set.negate ? ranges.notWord : ranges.word
      case "property":
        refuseWithCase(set.raw)
        return propertyOf(set)
    }
  }

  const memberOf = (member: AST.CharacterClass["elements"][number]): string => {
    switch (member.type) {
      case "Character":
        return codePoint(member.value)
      case "CharacterClassRange":
        return `${codePoint(member.min.value)}-${codePoint(member.max.value)}`
      case "CharacterSet":
        return setOf(member)
      default:
        throw new Untranslatable(member.raw)
    }
  }

  const groupOf = (group: AST.Group): string => {
    const { add, remove } = group.modifiers ?? {}
    // A line ends in JavaScript where it does not in RE2.
    if (add?.multiline === true || remove?.multiline === true) throw new Untranslatable("(?m:")
    return written(
      group.alternatives,
      add?.ignoreCase === true || (ignoreCase && remove?.ignoreCase !== true),
      add?.dotAll === true || (dotAll && remove?.dotAll !== true)
    )
  }

  const elementOf = (element: AST.Element): string => {
    switch (element.type) {
      case "Character":
        return codePoint(element.value)
      case "CharacterSet":
        if (element.kind !== "any") return `[${setOf(element)}]`
        return dotAll ? `[${ranges.all}]` : `[^${ranges.lineEnd}]`
      case "CharacterClass": {
        const members = element.elements.map(memberOf).join("")
        if (members === "") return `[${element.negate ? "" : "^"}${ranges.all}]`
        return `[${element.negate ? "^" : ""}${members}]`
      }
      case "Group":
        return groupOf(element)
      case "CapturingGroup":
        return written(element.alternatives, ignoreCase, dotAll)
      case "Quantifier": {
        const { element: repeated, greedy, max, min } = element
        return `(?:${elementOf(repeated)})${countOf(min, max)}${greedy ? "" : "?"}`
      }
      case "Assertion":
        if (element.kind === "start") return "\\A"
        if (element.kind === "end") return "\\z"
        if (element.kind !== "word") throw new Untranslatable("look-around")
        refuseWithCase(element.raw)
        return element.negate ? "\\B" : "\\b"
      case "Backreference":
        throw new Untranslatable("a back reference")
      default:
        throw new Untranslatable(element.raw)
    }
  }

  const texts = alternatives.map(({ elements }) => elements.map(elementOf).join(""))
  return `(?${ignoreCase ? "i" : "-i"}:${texts.join("|")})`
}

const countOf = (min: number, max: number): string => {
  if (max !== Infinity) return min === 0 && max === 1 ? "?" : `{${min},${max}}`
  return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`
}

/** Properties have the same names in RE2 as in JavaScript, but for those of general categories and scripts. */
const propertyOf = ({ key, value, negate, raw }: AST.UnicodePropertyCharacterSet): string => {
  const name = key === "General_Category" || key === "gc" ? value : (value ?? key)
  if (key === "Script_Extensions" || key === "scx" || name === null) throw new Untranslatable(raw)
  if (name === "ASCII") return negate ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}"
  return `\\${negate ? "P" : "p"}{${categoryOf(name)}}`
}
