/** The module of the nouns of the client for Python. */
import { isShared, nameOfNoun, type Noun, nounsOf, of } from "../requests/Nouns.ts"
import { linkText, methodOf, requestText, widthMax } from "./Calls.ts"

/** `executions.jobs` are `ExecutionJobs`. */
const classOf = (path: string): string => {
  const name = path === "" ? "calls" : nameOfNoun(path)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const nounText = ({ operations, path }: Noun): string =>
  [
    `class ${classOf(path)}(Noun[Mode]):\n`,
    `    """Calls of the contract: ${path === "" ? "the client's own" : `\`${path}\``}."""\n\n`,
    operations.map(methodOf).join("\n")
  ].join("")

const imported = (code: string, module: string, names: ReadonlyArray<string>): string => {
  const used = names.filter((name) => new RegExp(`(?<![\\w."])${name}\\b`).test(code)).toSorted()
  if (used.length === 0) return ""
  const line = `from ${module} import ${used.join(", ")}\n`
  return line.length <= widthMax ? line : `from ${module} import (\n    ${used.join(",\n    ")},\n)\n`
}

const helpers = [
  "Batch",
  "Page",
  "Request",
  "get",
  "idempotent_post",
  "page_of",
  "part",
  "patch",
  "post",
  "post_once",
  "put",
  "remove",
  "waiting_get",
  "with_keys"
]

const links = of("runhook")
  .filter(({ call }) => call === "files.download")
  .map(linkText)
const requests = of("runhook").filter(isShared).map(requestText)
const nouns = nounsOf("runhook").map(nounText)
const code = [...links, ...requests, ...nouns].join("\n\n")

export const nounsText = [
  `"""The calls of the integration API. Generated from the contract by \`npm run generate\`: do not edit."""\n`,
  `from __future__ import annotations\n`,
  [
    "import re\n",
    imported(code, "collections.abc", ["Sequence"]),
    imported(code, "dataclasses", ["replace"]),
    imported(code, "typing", ["Any"]),
    imported(code, "uuid", ["UUID"])
  ].join(""),
  [
    "from .. import types\n",
    imported(code, ".._call.request", helpers),
    imported(code, ".._nouns.calls", ["Mode", "Noun", "call", "listing"]),
    imported(code, ".._typing", ["Unpack"])
  ].join(""),
  `\n${code}`
].join("\n")
