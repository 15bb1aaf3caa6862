/** `TimeSql` for fixed texts: which clock counts is decided when the text is built. */
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { float8, timestamptz } from "../sql/Parameters.ts"
import { type Fixed, fixed } from "../sql/Statement.ts"
import { type Clock, nowSql } from "./StoreClock.ts"

interface AskedAt {
  readonly at: DateTime.Utc
}

export interface FixedTimeSql {
  /** The caller's now. */
  readonly now: Fixed<AskedAt>
  /** A moment by its distance from now. */
  after<Asked>(distance: (asked: Asked) => Duration.Duration): Fixed<Asked & AskedAt>
  before<Asked>(distance: (asked: Asked) => Duration.Duration): Fixed<Asked & AskedAt>
}

const callersNow = timestamptz(({ at }: AskedAt) => at)

export const fixedTimeSql = (clock: Clock): FixedTimeSql => {
  const now = nowSql<AskedAt>(clock, callersNow)
  const away = <Asked>(millis: (asked: Asked) => number) =>
    fixed<Asked & AskedAt>`(${now} + ${float8(millis)} * interval '1 millisecond')`
  return {
    now,
    after: (distance) => away((asked) => Duration.toMillis(distance(asked))),
    before: (distance) => away((asked) => -Duration.toMillis(distance(asked)))
  }
}
