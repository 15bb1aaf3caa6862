/** What the story looks at closely. */
import { assert } from "@effect/vitest"

/** Why a call was refused. */
export const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => assert.fail("it was not refused"),
    (reason: unknown) => reason
  )

/** The parts of evidence, as they read. */
export const textsIn = (evidence: string) =>
  evidence.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"))

/** A file of which one bit is another. */
export const forged = (bytes: Uint8Array<ArrayBuffer>) => bytes.with(0, (bytes[0] ?? 0) ^ 1)
