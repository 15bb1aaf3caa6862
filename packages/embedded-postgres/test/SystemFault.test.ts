import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ifThere, inFolder } from "../src/SystemFault.ts"

const failing = (code: string) => () =>
  Promise.reject(Object.assign(new Error("words of the system"), { code }))

describe("inFolder", () => {
  it.effect.each([
    { code: "ENOSPC", reason: "the disk is full (ENOSPC)" },
    { code: "EROFS", reason: "the file system is read-only (EROFS)" },
    { code: "EACCES", reason: "permission denied (EACCES)" },
    { code: "EODD", reason: "Error: words of the system (EODD)" }
  ])("tells $code in words", ({ code, reason }) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(inFolder("/data", failing(code)))

      assert.strictEqual(failure.message, `The database cannot be kept in /data: ${reason}`)
    })
  )
})

describe("ifThere", () => {
  it.effect("answers nothing for what is not there", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* ifThere("/data", failing("ENOENT")))
    })
  )

  it.effect("fails as before for everything else", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(ifThere("/data", failing("EIO")))

      assert.strictEqual(failure.reason, "the disk cannot read or write there (EIO)")
    })
  )
})
