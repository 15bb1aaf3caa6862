/** The commands are run by a real shell and a real curl, and sent to a receiver on this machine. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { curlCommand, shellWord } from "@runhook/core/deliveries/CurlCommand"
import { scoped } from "@runhook/test-support/receivers/Listening"
import { answering, startReceiver } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const receiver = scoped(() => startReceiver(answering(200)))

/** Lets a shell read a script, as from a file: an argument would have a limit of its own. */
const run = async (script: string): Promise<{ readonly code: number; readonly output: string }> => {
  const shell = spawn("sh", [], { stdio: ["pipe", "pipe", "inherit"] })
  shell.stdin.end(script)
  const [output, [code]] = await Promise.all([text(shell.stdout), once(shell, "exit")])
  return { code, output }
}

/** Text that a request may hold: UTF-8, and no NUL, which no argument of a program may have. */
const Body = Schema.String.check(Schema.makeFilter((value) => value.isWellFormed() && !value.includes("\0")))

/** What shells, curl and terminals may take for something else. */
const hostile = [
  "",
  "'",
  `'; touch /tmp/owned; '`,
  "\\'\"$(id)`id` ${HOME} !! *",
  "@/etc/passwd",
  "-n",
  "%s%d%%\\n\\0",
  "line\nline\r\n\n",
  "\u001b[31mred\u0007 \u202eleft\u202c 😀 ü",
  "&;|<>(){}[]#~=\t ",
  `{"a":"${"x".repeat(300_000)}'"}`
]

describe("curlCommand", () => {
  it.effect("sends exactly the body, whatever it holds", () =>
    Effect.gen(function* () {
      const { origin, received } = yield* receiver
      const url = `${origin}/in/[a]{b}'c?d=[1-3]&e='$HOME'`

      for (const body of hostile) {
        const { code, output } = yield* Effect.promise(() =>
          run(curlCommand({ url, headers: { "X-About": "it's $HOME `id`" }, body }))
        )
        assert.strictEqual(code, 0)
        assert.match(output, /^HTTP\/1\.1 200/)
      }

      assert.deepStrictEqual(
        received.map(({ body }) => body),
        hostile
      )
      for (const { headers, path } of received)
        assert.deepStrictEqual([headers["x-about"], path], ["it's $HOME `id`", url.slice(origin.length)])
    }).pipe(Effect.scoped)
  )

  it.effect.prop(
    "sends any body",
    [Body],
    ([body]) =>
      Effect.gen(function* () {
        const { origin, received } = yield* receiver

        yield* Effect.promise(() => run(curlCommand({ url: `${origin}/`, headers: {}, body })))

        assert.deepStrictEqual(
          received.map((each) => each.body),
          [body]
        )
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 30 } }
  )
})

describe("shellWord", () => {
  it.effect.prop(
    "is one word of a shell, and that text",
    [Schema.Array(Body)],
    ([words]) =>
      Effect.gen(function* () {
        const script = `printf '%s\\1' begin ${words.map(shellWord).join(" ")}`

        const { output } = yield* Effect.promise(() => run(script))

        assert.deepStrictEqual(output, ["begin", ...words].map((word) => `${word}\u0001`).join(""))
      }),
    { arbitrary: { runs: 30 } }
  )
})
