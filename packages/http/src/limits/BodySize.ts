/** How large the body of a request may be. Routes that stream their body set their own limits. */
import * as ByteSize from "effect/ByteSize"
import type { Problem } from "../errors/ErrorAnswer.ts"

export const bodySizeMax = ByteSize.mebibytes(1)

export const bodyTooLarge: Problem = { status: 413, message: `body: must be at most ${bodySizeMax} bytes` }
