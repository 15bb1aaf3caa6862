/** Runs one of PostgreSQL's programs to its end. */
import { execFile } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Account, withRealPath } from "./Account.ts"
import { codeOf } from "./SystemFault.ts"

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
 * What PostgreSQL sees of our environment: nothing of ours is its business,
 * and its messages must be in the language this code reads.
 */
export const environment = { LC_ALL: "C", TZ: "UTC" }

/** Most of what a program may say, in bytes. */
const outputMax = 1024 * 1024

/** Most complaints that are passed on; the first ones name the cause, what follows are its consequences. */
export const complaintsMax = 3

const complaint = /\b(?:error|ERROR|FATAL|PANIC): +(.*)$/

/** What went wrong, in the order it was said. */
export const complaintsIn = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => complaint.exec(line)?.[1]).filter((found) => found !== undefined)

/** Why a program failed, on one line: its complaints, else whatever it said. */
export const reasonIn = (said: ReadonlyArray<string>): string => {
  const complaints = complaintsIn(said)
  const words = (complaints.length > 0 ? complaints : said).slice(0, complaintsMax)
  return words.length > 0 ? words.join("; ") : "it said nothing"
}

/** The lines of an output that say something. */
export const linesOf = (output: string): ReadonlyArray<string> =>
  output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** Answers what it wrote. Interrupting ends the program and waits until it is gone. */
export const run = (options: {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly account: Account | undefined
  /** Folder it starts in. */
  readonly cwd: string
  /** What it reads; nothing by default. */
  readonly input?: string
}): Effect.Effect<{ readonly stdout: string; readonly stderr: string }, ProgramFailed> =>
  Effect.callback((resume) => {
    const { file, args, account, cwd, input = "" } = options
    const child = execFile(
      file,
      args,
      { ...account, cwd, env: environment, maxBuffer: outputMax },
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
    // A program that ends before it has read everything says why on its own.
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
