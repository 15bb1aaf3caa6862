/**
 * A few threads for schemas and values that cost more than the event loop can give
 * at once. Threads start when they are first needed. One that takes too long, or
 * too much memory, is ended.
 */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { AccountId } from "@runhook/core/shared/Ids"
import { TooManyChecks } from "@runhook/core/executions/params/ParamsValidator"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { FairQueue, type QueueLimits } from "./FairQueue.ts"
import type { Done, Work } from "./SchemaWork.ts"

export interface PoolOptions {
  readonly threads: number
  /** The longest that one piece of work may take. */
  readonly timeLimit: Duration.Duration
  /** The most memory of one thread, in MiB. */
  readonly heapMax: number
  /** The most that one account may have waiting. */
  readonly waiting: QueueLimits
}

export const defaultOptions: PoolOptions = {
  threads: 2,
  timeLimit: Duration.seconds(5),
  heapMax: 192,
  waiting: { items: 200, size: 8 * 1_048_576 }
}

/** The work took too long, or too much memory. */
export interface Ended {
  readonly _tag: "Ended"
}

export interface WorkerPool {
  /** Does a piece of work for an account, at its turn. */
  readonly run: (accountId: AccountId, work: Work) => Effect.Effect<Done | Ended, TooManyChecks>
}

type Answer = Effect.Effect<Done | Ended, TooManyChecks>

interface Job {
  readonly owner: string
  readonly work: Work
  readonly answer: (answer: Answer) => void
}

const sizeOf = (work: Work): number => work.schema.length + (work._tag === "Validate" ? work.value.length : 0)

const ended: Answer = Effect.succeed({ _tag: "Ended" })

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

/** Beside this module: a source in the workspace, compiled in the package. */
const threadUrl = new URL(`./SchemaWorker${extname(import.meta.url)}`, import.meta.url)

/** One thread, and its current work. */
class Thread {
  readonly #worker: Worker
  readonly #timeLimit: Duration.Duration
  #job: Job | undefined
  #timer: NodeJS.Timeout | undefined
  #isReady = false

  constructor(
    { heapMax, timeLimit }: PoolOptions,
    told: { readonly idle: (thread: Thread) => void; readonly gone: (thread: Thread) => void }
  ) {
    this.#timeLimit = timeLimit
    this.#worker = new Worker(threadUrl, {
      resourceLimits: { maxOldGenerationSizeMb: heapMax, maxYoungGenerationSizeMb: 32 }
    })
    this.#worker.on("message", (message: Done | "ready") => {
      if (message === "ready") {
        this.#isReady = true
        this.#watch()
      } else if (this.#job !== undefined) {
        this.#answer(Effect.succeed(message))
        told.idle(this)
      }
      // Otherwise it comes too late: the thread is being ended.
    })
    this.#worker.on("error", (error) => this.#answer(isOutOfMemory(error) ? ended : Effect.die(error)))
    this.#worker.on("exit", () => {
      this.#answer(Effect.interrupt)
      told.gone(this)
    })
    // Only work keeps the process alive.
    this.#worker.unref()
  }

  get owner(): string | undefined {
    return this.#job?.owner
  }

  begin(job: Job): void {
    this.#job = job
    this.#worker.ref()
    this.#worker.postMessage(job.work)
    if (this.#isReady) this.#watch()
  }

  end(): Promise<number> {
    clearTimeout(this.#timer)
    return this.#worker.terminate()
  }

  #watch(): void {
    if (this.#job === undefined) return
    this.#timer = setTimeout(() => {
      this.#answer(ended)
      void this.end()
    }, Duration.toMillis(this.#timeLimit))
  }

  #answer(answer: Answer): void {
    clearTimeout(this.#timer)
    this.#worker.unref()
    const job = this.#job
    this.#job = undefined
    job?.answer(answer)
  }
}

class Threads {
  readonly #options: PoolOptions
  readonly #queue: FairQueue<Job>
  readonly #threads = new Set<Thread>()
  readonly #idle = new Set<Thread>()
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#queue = new FairQueue(options.waiting)
  }

  offer(job: Job): boolean {
    if (!this.#queue.offer(job.owner, job, sizeOf(job.work))) return false
    this.#beginNext()
    return true
  }

  forget(job: Job): void {
    this.#queue.remove(job.owner, job)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()))
  }

  #beginNext(): void {
    while (!this.#isClosed && (this.#idle.size > 0 || this.#threads.size < this.#options.threads)) {
      const job = this.#queue.take((owner) => this.#mayBegin(owner))
      if (job === undefined) return
      const [thread = this.#hire()] = this.#idle
      this.#idle.delete(thread)
      thread.begin(job)
    }
  }

  /** One thread is always left to the other accounts. */
  #mayBegin(owner: string): boolean {
    const own = Array.from(this.#threads).filter((thread) => thread.owner === owner).length
    return own < Math.max(1, this.#options.threads - 1)
  }

  #hire(): Thread {
    const thread = new Thread(this.#options, {
      idle: (each) => {
        this.#idle.add(each)
        this.#beginNext()
      },
      gone: (each) => {
        this.#threads.delete(each)
        this.#idle.delete(each)
        this.#beginNext()
      }
    })
    this.#threads.add(thread)
    return thread
  }
}

/** A pool whose threads end with the scope. */
export const make = (options: PoolOptions): Effect.Effect<WorkerPool, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Threads(options)),
      (threads) => Effect.promise(() => threads.close())
    ),
    (threads) => ({
      run: (accountId, work) =>
        Effect.callback<Done | Ended, TooManyChecks>((resume) => {
          const job = { owner: accountId, work, answer: resume }
          if (threads.offer(job)) return Effect.sync(() => threads.forget(job))
          resume(Effect.fail(new TooManyChecks({ limit: options.waiting.items })))
        })
    })
  )
