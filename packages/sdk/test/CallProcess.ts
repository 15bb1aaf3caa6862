/** A process of another language that makes calls: one JSON object a line, in and out. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

export interface CallAnswer {
  readonly value?: unknown
  readonly error?: Readonly<Record<string, unknown>> & { readonly class: string; readonly attempts?: number }
  readonly pauses: ReadonlyArray<number>
}

export interface CallProcess<Call> extends AsyncDisposable {
  /** One call after the other. */
  call(call: Call): Promise<CallAnswer>
}

export const startProcess = <Call>(
  command: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv
): CallProcess<Call> => {
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] })
  const exited = once(child, "exit")
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async (before: Promise<unknown>, call: Call): Promise<CallAnswer> => {
    await before
    child.stdin.write(`${JSON.stringify(call)}\n`)
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`The process of ${command} ended`)
    return JSON.parse(value)
  }
  return {
    call: (call) => {
      const answered = inTurn(last, call)
      last = answered.catch(() => {})
      return answered
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
    }
  }
}
