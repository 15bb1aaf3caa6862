/** The server, or a command, cannot do its work as things are. */
import * as Schema from "effect/Schema"

export class StartupProblems extends Schema.TaggedError<StartupProblems>()("StartupProblems", {
  /** One line each, which says what to do about it. Never a secret. */
  problems: Schema.NonEmptyArray(Schema.String)
}) {
  override get message() {
    return this.problems.join("\n")
  }
}
