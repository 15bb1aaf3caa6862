import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, expect, it } from "@effect/vitest"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import { runhook } from "../../src/Commands.ts"
import { pathsOf } from "../CommandTree.ts"

const { formatHelpDoc } = CliOutput.defaultFormatter({ colors: false })

/** What a command prints on `--help`. */
const helpOf = Effect.fnUntraced(function* (path: ReadonlyArray<string>) {
  const printed: Array<string> = []
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") printed.push(formatHelpDoc(event.helpDoc))
      })
  })
  yield* Command.runWith(runhook, { version: "0" })([...path, "--help"]).pipe(
    Effect.provide([
      NodeServices.layer,
      presenter,
      CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
    ])
  )
  return printed.join("\n")
})

describe("--help", () => {
  it("says of every command what Help.txt records; `npx vitest run -u` records it anew", async () => {
    const texts = await Effect.runPromise(
      Effect.forEach(pathsOf(runhook, []), (path) =>
        Effect.map(helpOf(path), (text) => `# runhook ${path.join(" ")}\n\n${text}\n`)
      )
    )

    assert.isTrue(texts.every((text) => text.includes("\nUSAGE\n")))
    await expect(texts.join("\n")).toMatchFileSnapshot("./Help.txt")
  })
})
