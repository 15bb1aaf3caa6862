/** What a source file must look like, apart from its imports. */
import { matchesGlob } from "node:path"

/** Longest source file. A longer one holds a second idea. */
export const linesMax = 300

/** Files that are a noun; those that a script has written say so. */
const pascalCase = /^[A-Z][A-Za-z0-9]*(?:\.generated)?\.tsx?$/

/** Generated files, which are looked up rather than read: as long as their sources make them. */
const generated = /\.generated\.ts$/

/** Tables of data, which are looked up too: as long as there are rows. */
const tables: ReadonlySet<string> = new Set(["apps/server/src/config.ts"])

/** Files that may be named otherwise, because their name is a place or a command and not a noun. */
const otherNames = [
  "{apps,examples}/*/src/{main,config}.ts",
  "apps/*/src/commands/*.ts",
  "packages/*/src/toWire.ts",
  "packages/console/src/**",
  "packages/sdk/src/*.ts"
]

/** Rooms that every request or delivery passes many times. A span there costs more than most of what it would tell of. */
const hotRooms = "packages/{core,guarded-http,http,store-pg,webhook-dispatcher}/src/**"

/** The ways to a span in those rooms, which cost nothing without tracing: for use cases, and for attempts of callbacks. */
const waysToSpans: ReadonlySet<string> = new Set([
  "packages/core/src/engine/UseCase.ts",
  "packages/webhook-dispatcher/src/AttemptSpan.ts"
])

/** What makes a span, and what is made for one even without tracing. */
const span = /\bEffect\.(fn|\w*[sS]pan\w*)\(/

/** What streams answers: by the response budget, or files, which have limits of their own. */
const streamers: ReadonlySet<string> = new Set([
  "packages/http/src/limits/ResponseShare.ts",
  "packages/http/src/documents/FileAnswer.ts"
])

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1)

/** What is wrong with the file itself, as sentences; empty when nothing is. */
export const fileProblems = (file: string, source: string): ReadonlyArray<string> => {
  const name = nameOf(file)
  const lines = source.trimEnd().split("\n").length
  const problems: Array<string> = []
  if (lines > linesMax && !generated.test(name) && !tables.has(file))
    problems.push(`${file} has ${lines} lines, more than ${linesMax}`)
  if (name === "index.ts") problems.push(`${file} is a barrel`)
  else if (!pascalCase.test(name) && !otherNames.some((glob) => matchesGlob(file, glob))) {
    problems.push(`${file} is not named in PascalCase`)
  }
  const traced = matchesGlob(file, hotRooms) && !waysToSpans.has(file) ? span.exec(source) : null
  if (traced !== null) problems.push(`${file} makes spans where all work passes: ${traced[0]}`)
  if (/\bHttp(ServerResponse|Body)\.stream\(/.test(source) && !streamers.has(file))
    problems.push(`${file} streams an answer past the response budget`)
  return problems
}
