/** The errors of the codes in `errors.py`, behind what is written there by hand. */
import { readFileSync } from "node:fs"
import { errorName, errorTexts } from "../requests/ErrorNames.ts"

const begin = "# Generated from the contract by `npm run generate`: do not edit.\n"

const codes = Object.entries(errorTexts)

const classText = ([code, says]: readonly [string, string]): string =>
  `class ${errorName(code)}(ApiError):\n    """${says}"""\n`

const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^class (\w+)/gm), ([, name = ""]) => name)

export const errorsFile = (path: string): string => {
  const page = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
  const byHand = page.slice(0, page.indexOf(begin))
  if (byHand === page) throw new Error(`${path} has no place for the errors of the codes`)
  const classes = codes.map(classText).join("\n\n")
  const names = namesIn(byHand + classes).toSorted()
  return [
    `${byHand}${begin}\n`,
    `${classes}\n`,
    `_BY_CODE: dict[str, type[ApiError]] = {\n${codes.map(([code]) => `    "${code}": ${errorName(code)},\n`).join("")}}\n`,
    `__all__ = [\n${names.map((name) => `    "${name}",\n`).join("")}]\n`
  ].join("\n")
}
