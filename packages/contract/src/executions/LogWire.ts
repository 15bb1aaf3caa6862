/** The logs of executions, as runners send them and people read them. */
import { LogLevel, logLinesMax, logMessageLengthMax } from "@runhook/core/runs/LogLine"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { pageOf } from "../shared/Envelope.ts"
import { count, text } from "../runs/RunnerFields.ts"

/** Lines that one request may bring of one execution. */
export const saidLinesMax = 200

/** An hour: a line that is told later is shown as written then. */
const ageMillisMax = 3_600_000

const SaidLine = Schema.Struct({
  level: LogLevel,
  message: text(0, logMessageLengthMax),
  age_ms: Schema.optionalKey(count(0, ageMillisMax)).pipe(
    described("How long ago it was written, in milliseconds; now unless given.")
  ),
  number: Schema.optionalKey(count(1, 2_147_483_647)).pipe(
    described(
      "Counted by the runner from 1 under one epoch. A line whose number is not above that of the last line is skipped, so lines may be sent again until they are answered. Without it every line is kept."
    )
  )
}).annotate({ identifier: "SaidLine", description: "A line of the log." })

export const saidLines = Schema.optionalKey(
  Schema.Array(SaidLine).check(Schema.isMaxLength(saidLinesMax))
).pipe(described(`Lines of the log, oldest first. The newest ${logLinesMax} of an execution are kept.`))

export const LogLineItem = Schema.Struct({
  sequence: Schema.Int.pipe(described("Counted from 1. The oldest lines of a long log are gone.")),
  at: Timestamp,
  level: LogLevel,
  message: Schema.String,
  attempt: Schema.Int.pipe(described("The attempt that wrote it."))
}).annotate({ identifier: "ExecutionLogLine", description: "One line of the log of an execution." })

export const LogLineList = pageOf("ExecutionLog", LogLineItem, "Lines of the log, oldest first.")

/** How a stream shows one of them. */
export const logLineExample = `id: 12
event: line
data: {"sequence":12,"at":"2026-03-02T09:00:02.500Z","level":"info","message":"Signed in","attempt":1}

`
