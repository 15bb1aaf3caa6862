/** How Go names what the wire names. */
import { definitions } from "../Definitions.ts"
import { operations } from "../Operations.ts"

const initialisms: Readonly<Record<string, string>> = { id: "ID", ids: "IDs", url: "URL", json: "JSON" }

/** Such as `TaskVersionID` for `task_version_id`. */
export const exported = (name: string): string =>
  name
    .split(/[_.:\s]/)
    .map((word) => initialisms[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join("")

/** Words are open to later ones in Go, so they need no other name for those of today. */
export const typeName = (name: string): string => name.replace(/^Known/, "")

const widthMax = 118

/** A comment of whole lines. */
export const commentOf = (text: string, indent = ""): string => {
  const lines: Array<string> = []
  let current = ""
  for (const word of text.split(/\s+/)) {
    if (current !== "" && `${indent}// ${current} ${word}`.length > widthMax) {
      lines.push(current)
      current = word
    } else current = current === "" ? word : `${current} ${word}`
  }
  return [...lines, current].map((line) => `${indent}// ${line}\n`).join("")
}

const fields = new Set(
  definitions.flatMap(({ representation }) =>
    representation._tag === "Objects" ? representation.propertySignatures.map(({ name }) => String(name)) : []
  )
)

const words = new Set(operations.flatMap(({ call }) => call.split(".")))

/** A text in which fields and calls have the names of Go. */
export const nameInText = (text: string): string =>
  text.replaceAll(/`(\w+)`|\b([a-z]+(?:_[a-z]+)+)\b/g, (whole, quoted?: string, bare?: string) => {
    const name = (quoted ?? bare ?? "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isField = name.includes("_") && fields.has(name)
    return isField || words.has(quoted ?? "") ? exported(name) : whole
  })
