/** Loaded before the service: gives timings of runners other values, in the program that was made of its sources. */
import { registerHooks } from "node:module"

const timings = Object.entries<number>(JSON.parse(process.env["TEST_RUNNER_TIMINGS"] ?? "{}"))

const withTimings = (program: string): string =>
  timings.reduce((text, [name, seconds]) => {
    const changed = text.replace(
      // The bundler numbers what has the name of another.
      new RegExp(`(RunnerTimings", \\{[^}]*\\b${name}: seconds[$\\w]*)\\(\\d+\\)`),
      `$1(${seconds})`
    )
    if (changed === text) throw new Error(`The program names no ${name} in seconds`)
    return changed
  }, program)

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    const { source } = loaded
    if (!url.includes("/dist/") || source === undefined || source === null) return loaded
    const program = typeof source === "string" ? source : new TextDecoder().decode(source)
    return program.includes("RunnerTimings = ") ? { ...loaded, source: withTimings(program) } : loaded
  }
})
