/** The modules of the client that blocks, each made of that for asyncio: what is awaited there blocks here. */
import { readFileSync } from "node:fs"
import { importOf } from "./Layout.ts"

/** In their order; what a name of asyncio is for code that blocks. */
const rules: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bCoroutine\[Any, Any, ((?:[^[\]]|\[[^\]]*\])*)\]/g, "$1"],
  [/\bawait /g, ""],
  [/\basync (?=def|for|with)/g, ""],
  [/__a(iter|enter|exit)__/g, "__$1__"],
  [/\bAsync(?=[A-Z])/g, ""],
  [/\basync_(?=[a-z])/g, ""],
  [/\bconnect_asyncio\b/g, "connect_socket"],
  [/\bAsyncioClock\b/g, "BlockingClock"],
  [
    /, for asyncio\. It works in one event loop after the other\./g,
    ", which blocks. Safe to share between threads, and to keep over a fork."
  ]
]

const imports = /^from ([\w.]+) import (?:\(([^)]*)\)|(.*))\n/gm

/** The same module for code that blocks. */
export const inBlocking = (text: string, path: string): string => {
  const [, says = ""] = /^"""(.*), for asyncio\."""\n/.exec(text) ?? []
  if (says === "") throw new Error(`${path} does not begin with what it has for asyncio`)
  const own = text.slice(text.indexOf("\n") + 1)
  const mapped = rules.reduce((code, [from, to]) => code.replaceAll(from, to), own)
  const code = mapped.replaceAll(imports, "")
  const pruned = mapped.replaceAll(
    imports,
    (line: string, module: string, inLines: string | undefined, inLine: string | undefined) =>
      module === "__future__"
        ? line
        : importOf(
            code,
            module,
            (inLines ?? inLine ?? "").split(",").flatMap((name) => name.trim() || [])
          )
  )
  return `"""${says}, for code that blocks.\n\nGenerated from ${path} by \`npm run generate\`: do not edit.\n"""\n${pruned}`
}

const modules = ["client", "files", "lists", "noun", "waits"]

const folder = "../sdk-python/src/runhook"

export const blockingFiles: Readonly<Record<string, string>> = Object.fromEntries(
  modules.map((name) => {
    const path = `_asyncio/${name}.py`
    const text = readFileSync(new URL(`../../${folder}/${path}`, import.meta.url), "utf8")
    return [`${folder}/_blocking/${name}.py`, inBlocking(text, path)]
  })
)
