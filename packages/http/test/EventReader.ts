/** Reads an answer of Server-Sent Events, block by block. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"

/** Lines of an event, by their names. */
const fieldsOf = (block: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
  )

/** The stream of an answer, of which one block after another is read. */
export const reading = Effect.fnUntraced(function* (answer: Response) {
  assert.strictEqual(answer.status, 200)
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => answer.body?.pipeThrough(new TextDecoderStream()).getReader()),
    (each) => Effect.promise(() => each?.cancel() ?? Promise.resolve())
  )
  let rest = ""
  const block = Effect.promise(async () => {
    while (!rest.includes("\n\n")) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done === true) return "over"
      rest += value
    }
    const end = rest.indexOf("\n\n")
    const first = rest.slice(0, end)
    rest = rest.slice(end + 2)
    return first
  })
  return { block, fields: Effect.map(block, fieldsOf) }
})
