import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as CliConfig from "effect/cli/CliConfig"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestConsole from "effect/testing/TestConsole"
import { runhook } from "../../src/Commands.ts"
import { leavesOf } from "../CommandTree.ts"
import { run, SharedServer } from "../RunhookProcess.ts"

/** They log, or print a text of one form: a document, a program, a script. */
const withoutAnswer = ["start", "serve", "openapi", "types", "completions"]

const help = Effect.fnUntraced(function* (command: string) {
  yield* Command.runWith(runhook, { version: "" })([...command.split(" "), "--help"])
  return (yield* TestConsole.logLines).join("\n")
})

const layer = Layer.mergeAll(
  NodeServices.layer,
  TestConsole.layer,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
)

describe("--json and --no-json", () => {
  it.effect("are taken by every command that has an answer", () =>
    Effect.gen(function* () {
      const commands = leavesOf(runhook, "").map((path) => path.trim())

      const without = yield* Effect.filter(commands, (command) =>
        Effect.map(help(command), (text) => !/^ +--json\b/m.test(text)).pipe(
          Effect.provide(Layer.fresh(layer))
        )
      )

      assert.isAbove(commands.length, 80)
      assert.deepStrictEqual(without, withoutAnswer)
    })
  )

  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect("choose how a command prints that asks no API: text, unless JSON is asked for", () =>
      Effect.gen(function* () {
        const [usual, text, json, settings] = yield* Effect.all([
          run("doctor"),
          run("doctor", "--no-json"),
          run("doctor", "--json"),
          run("settings", "--json")
        ])

        assert.match(text.stdout, /^ok {4}settings +complete/)
        assert.deepStrictEqual([usual.stdout, usual.code], [text.stdout, 0])
        const { checks, ok } = JSON.parse(json.stdout)
        assert.strictEqual(ok, true)
        assert.deepInclude(checks[0], { check: "settings", ok: true })
        assert.lengthOf(checks, text.stdout.trimEnd().split("\n").length)
        assert.deepInclude(JSON.parse(settings.stdout).data[0], { name: "RUNHOOK_MODE", file: null })
      })
    )
  })
})
