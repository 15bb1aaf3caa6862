/** The server, or a command, cannot work under these conditions. */
import * as Schema from "effect/Schema"

export class StartupProblems extends Schema.TaggedError<StartupProblems>()("StartupProblems", {
  /** One line each, which says what to do. Never a secret. */
  problems: Schema.NonEmptyArray(Schema.String)
}) {
  override get message() {
    return this.problems.join("\n")
  }
}
