/** Moments in a text that is built once, as `Moments` has them in one that is composed: which clock counts is a choice of the text. */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { instant } from "../sql/Instants.ts"
import { type Text, text } from "../sql/Statement.ts"
import type { Clock } from "./StoreClock.ts"

interface AskedAt {
  readonly at: DateTime.Utc
}

export interface TextMoments {
  /** The moment that a caller takes for now. */
  readonly now: Text<AskedAt>
  /** A moment by its distance from now. */
  after<Asked>(distance: (asked: Asked) => Duration.Duration): Text<Asked & AskedAt>
  before<Asked>(distance: (asked: Asked) => Duration.Duration): Text<Asked & AskedAt>
}

const callersNow = ({ at }: AskedAt) => instant(at)

export const textMoments = (clock: Clock): TextMoments => {
  const now =
    clock === "database"
      ? text`statement_timestamp()::timestamptz(3)`
      : text<AskedAt>`${callersNow}::timestamptz(3)`
  const away = <Asked>(millis: (asked: Asked) => number) =>
    text<
      Asked & AskedAt
    >`(${now} + ${(asked) => PgTypes.float8(millis(asked))}::float8 * interval '1 millisecond')`
  return {
    now,
    after: (distance) => away((asked) => Duration.toMillis(distance(asked))),
    before: (distance) => away((asked) => -Duration.toMillis(distance(asked)))
  }
}
