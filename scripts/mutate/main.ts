/** `npm run mutate`: breaks one line of the product at a time, and reports whether its test catches it. */
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { scriptOf } from "../../test/run/Later.ts"
import * as Copy from "./Copy.ts"
import { type Fault, misfit } from "./Fault.ts"
import { faults } from "./Faults.ts"
import * as Trial from "./Trial.ts"

const usage = "Usage: npm run mutate [-- --only <name> ...] [-- --list]"

const parsed = () => {
  try {
    return parseArgs({ options: { only: { type: "string", multiple: true }, list: { type: "boolean" } } })
      .values
  } catch {
    return undefined
  }
}

const values = parsed()
const known = new Set(faults.map(({ name }) => name))
const unknown = values?.only?.filter((name) => !known.has(name)) ?? []
if (values === undefined || unknown.length > 0) {
  if (unknown.length > 0)
    console.error(`There is no fault ${unknown.join(", ")}: --list tells which there are`)
  console.error(usage)
  process.exit(2)
}
if (values.list === true) {
  for (const { idea, name } of faults) console.log(`${name.padEnd(nameWidth())} ${idea}`)
  process.exit(0)
}

const chosen = faults.filter(({ name }) => values.only?.includes(name) ?? true)
const resources = new AsyncDisposableStack()
const stopping = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort())

try {
  process.exitCode = (await runAll()) ? 0 : 1
} catch (error) {
  if (!stopping.signal.aborted) throw error
  console.error("Stopped.")
  process.exitCode = 130
} finally {
  await resources.disposeAsync()
}

function nameWidth(): number {
  return Math.max(...faults.map(({ name }) => name.length))
}

/** Whether each fault was caught. */
async function runAll(): Promise<boolean> {
  const root = fileURLToPath(new URL("../..", import.meta.url))
  const copy = await Copy.make(root, resources)
  const sound = await passingAsTheyAre(copy)
  const begun = performance.now()
  const caught = { test: 0, "test:later": 0 }
  for (const fault of chosen) {
    const since = performance.now()
    const verdict = await judge(copy, fault, sound)
    const seconds = ((performance.now() - since) / 1_000).toFixed(1)
    const script = scriptOf(fault.test.file)
    console.log(
      `${verdict === "caught" ? "caught  " : "NOT SO  "} ${fault.name.padEnd(nameWidth())} ${script.padEnd(10)} ${seconds} s`
    )
    if (verdict === "caught") caught[script]++
    else console.log(`         ${verdict}\n         ${fault.idea}: ${fault.file}`)
  }
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  const all = caught.test + caught["test:later"]
  console.log(
    `${all} of ${chosen.length} faults were caught, ${caught.test} by test and ${caught["test:later"]} by test:later, in ${minutes} minutes.`
  )
  return all === chosen.length
}

/** The test files whose named tests pass without a fault: in others, a failure would mean nothing. */
async function passingAsTheyAre(copy: Copy.Copy): Promise<ReadonlySet<string>> {
  const passing = new Set<string>()
  for (const file of new Set(chosen.map(({ test }) => test.file))) {
    const tests = chosen.map(({ test }) => test).filter((test) => test.file === file)
    const { failed, passed, printed } = await Trial.run(copy, tests, stopping.signal)
    if (failed === 0 && passed > 0) passing.add(file)
    else console.log(`${file} does not pass as it is: ${passed} passed, ${failed} failed\n${printed}`)
  }
  return passing
}

/** `caught`, or what happened instead. */
async function judge(copy: Copy.Copy, fault: Fault, sound: ReadonlySet<string>): Promise<string> {
  const texts = new Map<string, string>()
  for (const file of [fault.file, fault.test.file, fault.test.suite ?? fault.test.file]) {
    const text = await copy.read(file).catch(() => undefined)
    if (text !== undefined) texts.set(file, text)
  }
  const unfit = misfit(fault, (file) => texts.get(file))
  if (unfit !== undefined) return `no longer applies: ${unfit}`
  if (!sound.has(fault.test.file)) return "not tried: its test does not pass as it is"
  const source = texts.get(fault.file) ?? ""
  await copy.write(fault.file, source.split(fault.before).join(fault.after))
  const { failed, passed, printed } = await Trial.run(copy, [fault.test], stopping.signal)
  await copy.write(fault.file, source)
  if (failed > 0) return "caught"
  return passed > 0 ? "survived" : `no test ran:\n${printed}`
}
