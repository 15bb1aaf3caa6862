/** The questions of one attempt, and their answers. */
import type { Clock } from "../call/Clock.ts"
import type { Json } from "../wire/Integration.ts"
import type { Claim } from "../wire/Runner.ts"
import type { Calls } from "./Calls.ts"
import type { Question } from "./Context.ts"
import { StoppedError } from "./Stopping.ts"
import { Wakeup } from "./Wakeup.ts"

const expirySeconds = 3_600

export interface QuestionsOptions {
  readonly claim: Claim
  readonly calls: Calls
  readonly clock: Clock
  /** Aborts when there will be no answer. */
  readonly signal: AbortSignal
  /** Called when the execution has released this runner. */
  readonly onReleased: (reason: StoppedError) => void
}

export class Questions {
  readonly #options: QuestionsOptions
  /** By the question's id. An answer may come before the question's own call has been answered. */
  readonly #answers = new Map<string, Json>()
  readonly #arrived = new Wakeup()

  constructor(options: QuestionsOptions) {
    this.#options = options
  }

  async ask({
    default: fallback,
    expires_in_s = expirySeconds,
    key,
    mode = "hold",
    on_timeout = "error",
    prompt,
    schema
  }: Question): Promise<Json> {
    const { calls, claim, onReleased, signal } = this.#options
    signal.throwIfAborted()
    if (claim.input_answer?.input_key === key) return claim.input_answer.value
    const fields = { input_key: key, prompt, schema, expires_in_s, on_timeout, mode, default: fallback }
    const asked = await calls.ask(claim, fields, { signal })
    if (asked.input_answer !== undefined) return asked.input_answer.value
    if (mode === "release") {
      onReleased(new StoppedError("released", "the execution waits for an answer without a runner"))
      signal.throwIfAborted()
    }
    return await this.#answerTo(asked.input_id)
  }

  /** Repeated answers change nothing. */
  answered(inputId: string, value: Json): void {
    this.#answers.set(inputId, value)
    this.#arrived.wake()
  }

  async #answerTo(inputId: string): Promise<Json> {
    const { clock, signal } = this.#options
    for (;;) {
      const value = this.#answers.get(inputId)
      if (value !== undefined) return value
      signal.throwIfAborted()
      await clock.sleep(Infinity, AbortSignal.any([signal, this.#arrived.signal])).catch(() => {})
    }
  }
}
