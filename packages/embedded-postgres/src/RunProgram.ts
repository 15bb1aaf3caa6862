/** Runs one of PostgreSQL's programs to its end. */
import { execFile } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { codeOf } from "./SystemFault.ts"
import { type SystemUser, withRealPath } from "./SystemUser.ts"

/** The program could not be started, or ended with an error. */
export class ProgramFailed extends Schema.TaggedError<ProgramFailed>()("ProgramFailed", {
  /** The system's name of why it could not be started, such as `EACCES`, or its exit code. */
  code: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/**
 * PostgreSQL's environment: it needs nothing of ours, and its messages must be in
 * the language that this code reads.
 */
export const environment = { LC_ALL: "C", TZ: "UTC" }

/** The most output of a program, in bytes. */
const outputMax = 1024 * 1024

/** The most complaints that are passed on; the first ones name the cause, the others are its consequences. */
export const complaintsMax = 3

const complaint = /\b(?:error|ERROR|FATAL|PANIC): +(.*)$/

/** The complaints, in their order. */
export const complaintsIn = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => complaint.exec(line)?.[1]).filter((found) => found !== undefined)

/** Why a program failed, on one line: its error messages, or else all of its output. */
export const reasonIn = (said: ReadonlyArray<string>): string => {
  const complaints = complaintsIn(said)
  const words = (complaints.length > 0 ? complaints : said).slice(0, complaintsMax)
  return words.length > 0 ? words.join("; ") : "it said nothing"
}

/** The lines of an output that are not empty. */
export const linesOf = (output: string): ReadonlyArray<string> =>
  output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** Answers its output. Interrupting ends the program and waits until it is gone. */
export const run = (options: {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly user: SystemUser | undefined
  /** The folder in which it starts. */
  readonly cwd: string
  /** Its input; none by default. */
  readonly input?: string
}): Effect.Effect<{ readonly stdout: string; readonly stderr: string }, ProgramFailed> =>
  Effect.callback((resume) => {
    const { file, args, user, cwd, input = "" } = options
    const child = execFile(
      file,
      args,
      { ...user, cwd, env: environment, maxBuffer: outputMax },
      (cause, stdout, stderr) =>
        resume(
          cause === null
            ? Effect.succeed({ stdout, stderr })
            : Effect.fail(
                new ProgramFailed({
                  code: codeOf(cause),
                  reason: stderr === "" ? cause.message : withRealPath(reasonIn(linesOf(stderr)), cwd)
                })
              )
        )
    )
    // A program that ends before it has read everything says why by itself.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    const endWithUs = () => void child.kill()
    process.prependListener("exit", endWithUs)
    child.once("close", () => process.off("exit", endWithUs))
    return Effect.callback<void>((done) => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
        return done(Effect.void)
      child.once("exit", () => done(Effect.void))
      child.kill()
    })
  })
