/** The modules of the calls of both clients for Python, and of the requests that stand apart from them. */
import { nameOfNoun, type Noun, nounsOf, nounTexts, of } from "../requests/Nouns.ts"
import { inMode, isApart, linkText, methodOf, type Mode, requestText } from "./Calls.ts"
import { importOf } from "./Layout.ts"

/** Classes by hand with further calls, by the noun. */
const byHand: Readonly<Record<string, string>> = {
  executions: "ExecutionWaits",
  "executions.jobs": "JobWaits",
  "deliveries.replays": "ReplayWaits"
}

/** Nouns whose calls are all by hand. */
const whole: Readonly<Record<string, string>> = { files: "Files" }

/** `executions.jobs` are `ExecutionJobs`; the client itself has the `Calls`. */
const classOf = (path: string): string => {
  const name = path === "" ? "calls" : nameOfNoun(path)
  return whole[path] ?? name.charAt(0).toUpperCase() + name.slice(1)
}

const nouns = nounsOf("runhook")

/** The nouns right below one. */
const below = (path: string): ReadonlyArray<string> =>
  [...nouns.map((noun) => noun.path), ...Object.keys(whole)].filter(
    (each) => each !== "" && each.split(".").slice(0, -1).join(".") === path
  )

/** How it gets its sender, and gives it to the nouns below it. */
const begun = (path: string, mode: Mode): string => {
  const inner = below(path).map(
    (each) => `        self.${each.split(".").at(-1)} = ${inMode(mode, classOf(each))}(sender)\n`
  )
  if (inner.length === 0) return ""
  const head =
    path === ""
      ? [
          "    def __init__(self, sender: Sender) -> None:\n        self._begin(sender)\n\n",
          "    def _begin(self, sender: Sender) -> None:\n        super().__init__(sender)\n"
        ]
      : ["    def __init__(self, sender: Sender) -> None:\n        super().__init__(sender)\n"]
  return `${[...head, ...inner].join("")}\n`
}

const nounText = ({ operations, path }: Noun, mode: Mode): string =>
  [
    `class ${inMode(mode, classOf(path))}(${inMode(mode, byHand[path] ?? "Noun")}):\n`,
    `    """${nounTexts[path] ?? ""}"""\n\n`,
    begun(path, mode),
    operations.map((operation) => methodOf(operation, mode)).join("\n")
  ].join("")

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

const generated = "Generated from the contract by `npm run generate`: do not edit."

/** A module of such code, with what that uses. */
const moduleOf = (says: string, code: string, own: ReadonlyArray<readonly [string, ReadonlyArray<string>]>) =>
  [
    `"""${says} ${generated}"""\n`,
    `from __future__ import annotations\n`,
    [
      /\bre\./.test(code) ? "import re\n" : "",
      importOf(code, "collections.abc", ["Coroutine", "Sequence"]),
      importOf(code, "dataclasses", ["replace"]),
      importOf(code, "typing", ["Any"]),
      importOf(code, "uuid", ["UUID"])
    ].join(""),
    [
      "from .. import types\n",
      importOf(code, ".._call.request", helpers),
      importOf(code, ".._call.send", ["Sender"]),
      importOf(code, ".._generated", ["requests"]),
      importOf(code, ".._typing", ["Unpack"]),
      ...own.map(([module, names]) => importOf(code, module, names))
    ].join(""),
    `\n${code}`
  ].join("\n")

/** The nouns of a client. */
const nounsText = (mode: Mode): string => {
  const code = nouns.map((noun) => nounText(noun, mode)).join("\n\n")
  const waits = Object.values(byHand).map((name) => inMode(mode, name))
  const says = `The calls of the integration API, for ${mode === "asyncio" ? "asyncio" : "code that blocks"}.`
  return moduleOf(says, code, [
    [".files", [inMode(mode, "Files")]],
    [".lists", [inMode(mode, "Listing")]],
    [".noun", [inMode(mode, "Noun")]],
    [".waits", waits]
  ])
}

const links = of("runhook")
  .filter(({ call }) => call === "files.download")
  .map(linkText)

const requestsText = moduleOf(
  "Requests that stand apart from the calls.",
  [...links, ...of("runhook").filter(isApart).map(requestText)].join("\n\n"),
  []
)

/** By their path in the package. */
export const nounFiles: Readonly<Record<string, string>> = {
  "_generated/requests.py": requestsText,
  "_asyncio/nouns.py": nounsText("asyncio"),
  "_blocking/nouns.py": nounsText("blocking")
}
