import { assert, describe, it } from "@effect/vitest"
import { openFilesMax, tooFewFiles } from "../../src/network/OpenFiles.ts"

describe("connections and open files", () => {
  it("are compared, and the operator is told how many connections the system allows", () => {
    const [line, ...others] = tooFewFiles(10_000, 4_096)

    assert.deepStrictEqual(others, [])
    assert.match(line ?? "", /is 10000, .* open 4096 files: .* or set RUNHOOK_MAX_CONNECTIONS to 3796$/)
  })

  it("are enough where the system allows both, or does not say", () => {
    assert.deepStrictEqual([tooFewFiles(10_000, 20_000), tooFewFiles(10_000, null)], [[], []])
  })

  it.runIf(process.platform === "linux")("are read from the system", () => {
    assert.isAbove(openFilesMax() ?? 0, 100)
  })
})
