import { assert, describe, it } from "@effect/vitest"
import { judge } from "./Checker.ts"
import type { FaultKind } from "./Fault.ts"
import type { History, Requested } from "./History.ts"
import {
  cancelled,
  completed,
  created,
  final,
  receipt,
  replacing,
  requested,
  sighting,
  wellDone,
  without,
  written
} from "./MadeUp.ts"
import { answerMillisMax } from "./Timeliness.ts"

const kindsIn = (history: History): ReadonlyArray<FaultKind> => [
  ...new Set(judge(history).map(({ kind }) => kind))
]

const claimedAgain = { is: "claimed", executionId: "e1", epoch: 2, at: 8 } as const
const struck = (from: number) => ({ is: "struck", from, until: from + 5 }) as const
const slow: Requested = { ...requested, at: answerMillisMax + 1 }
const reset: Requested = { ...requested, sentAt: 10, at: 20, outcome: "reset" }
const absence = { is: "absence", life: requested.life, how: "killed", from: 15, until: Infinity } as const

describe("the checker of histories", () => {
  const faulty: ReadonlyArray<readonly [string, FaultKind, History]> = [
    ["an execution that is not there", "lost", without(({ is }) => is === "final" || is === "sighting")],
    [
      "an execution that never ended",
      "lost",
      [created, receipt("queued", 3), { ...final, status: "queued" }]
    ],
    ["an event that did not arrive", "lost", without((each) => each.is === "receipt" && each.at === 7)],
    ["a file that cannot be downloaded", "lost", without(({ is }) => is === "fetched")],
    [
      "an answer that did not reach the work",
      "lost",
      [...wellDone, { is: "answered", executionId: "e1", value: "7", at: 11 }]
    ],
    ["a key that stands for two executions", "doubled", [...wellDone, { ...created, executionId: "e2" }]],
    ["a reference that was queued twice", "doubled", [...wellDone, { ...final, executionId: "e2" }]],
    [
      "a change that is told as two events",
      "doubled",
      [...wellDone, { ...receipt("queued", 20), eventId: "other" }]
    ],
    [
      "an end that arrives before the start",
      "out of order",
      replacing(receipt("completed", 13), receipt("completed", 6))
    ],
    [
      "a start that arrives before the queueing",
      "out of order",
      replacing(receipt("queued", 3), receipt("queued", 8))
    ],
    ["a write under an epoch that is over", "stale write accepted", [...wellDone, claimedAgain]],
    [
      "an outcome that another follows",
      "contradiction",
      [...wellDone, { ...completed(1, 20), outcome: { status: "error", result: "null" } }]
    ],
    ["an outcome that did not come true", "contradiction", replacing(final, { ...final, status: "error" })],
    [
      "a result that is another afterwards",
      "contradiction",
      replacing(sighting("completed", 15), { ...sighting("completed", 15), result: "{}" })
    ],
    ["a cancel that did not come true", "contradiction", [...wellDone, cancelled("aborted", 20)]],
    ["an end that was none", "contradiction", [...wellDone, sighting("running", 30)]],
    [
      "an attempt that is unseen",
      "contradiction",
      replacing(sighting("running", 9), { ...sighting("running", 9), attempt: 0 }).concat({
        ...sighting("running", 4),
        attempt: 1,
        at: 4
      })
    ],
    [
      "work that waits again and is given to nobody",
      "contradiction",
      [...wellDone, { ...sighting("queued", 11), attempt: 1 }]
    ],
    [
      "a key that is accepted with another body",
      "contradiction",
      [...wellDone, { ...created, body: "other" }]
    ],
    [
      "an event whose repeat has another body",
      "bytes differ",
      [...wellDone, { ...receipt("queued", 20), sha256: "other" }]
    ],
    [
      "a file that changed on the way",
      "bytes differ",
      [...wellDone, { is: "fetched", executionId: "e1", fileId: "f1", sha256: "other" }]
    ],
    [
      "a callback that is not signed",
      "forged",
      [...wellDone, { ...receipt("queued", 20), forgery: "its signature is not ours" }]
    ],
    [
      "an event that was taken and is told again",
      "told again for nothing",
      [...wellDone, receipt("queued", 20)]
    ],
    [
      "an event that was taken long before a fault",
      "told again for nothing",
      [...wellDone, receipt("queued", 20_000), struck(10_000)]
    ],
    ["an answer that comes late", "not answered in time", [...wellDone, slow]],
    ["a caller that gives up", "not answered in time", [...wellDone, { ...slow, outcome: "silent" }]],
    ["a connection that breaks by itself", "not answered in time", [...wellDone, reset]],
    [
      "a connection that breaks before the kill",
      "not answered in time",
      [...wellDone, reset, { ...absence, from: 21 }]
    ],
    [
      "a connection to another process than the killed one",
      "not answered in time",
      [...wellDone, reset, { ...absence, life: "other" }]
    ],
    [
      "an answer that comes late after a freeze",
      "not answered in time",
      [...wellDone, slow, { ...absence, how: "frozen", from: 0, until: 0.5 }]
    ],
    ["an error inside", "answered wrongly", [...wellDone, { ...requested, outcome: 500 }]],
    [
      "a refusal that does not say until when",
      "answered wrongly",
      [...wellDone, { ...requested, outcome: 503 }]
    ]
  ]
  for (const [what, kind, history] of faulty) {
    it(`finds ${what}: ${kind}`, () => {
      assert.include(kindsIn(history), kind)
    })
  }

  const faultless: ReadonlyArray<readonly [string, History]> = [
    ["a life in which all is well", wellDone],
    ["an event that is told again after a fault", [...wellDone, receipt("queued", 20), struck(10)]],
    [
      "an event that is told again since it was refused",
      [{ ...receipt("queued", 2), answer: "refused" }, ...wellDone]
    ],
    ["a create that is repeated", [...wellDone, { ...created, at: 30 }]],
    ["an outcome that is repeated", [...wellDone, completed(1, 20)]],
    [
      "a stale write that is refused",
      [...wellDone, claimedAgain, { ...written("start", 1, 20), accepted: false }].filter(
        (each) => each.is !== "written" || !each.accepted || each.at < 8
      )
    ],
    [
      "work that waits again for the next",
      [...wellDone, { ...sighting("queued", 11), attempt: 1 }, { ...claimedAgain, epoch: 1, at: 12 }]
    ],
    [
      "work that the next has and has not begun",
      [...wellDone, { ...sighting("queued", 11), attempt: 1 }, written("start", 1, 14)]
    ],
    ["a look that began before the end", [...wellDone, { ...sighting("running", 20), sentAt: 14 }]],
    ["a connection to a process that is killed", [...wellDone, reset, absence]],
    [
      "a process that answers after it was frozen",
      [...wellDone, { ...slow, at: slow.at + 5 }, { ...absence, how: "frozen", from: 1, until: 6 }]
    ],
    ["an answer that was asked to wait", [...wellDone, { ...slow, wait: 1_000 }]],
    ["a refusal while the store is away", [...wellDone, { ...requested, outcome: 503, retryAfter: "5" }]]
  ]
  for (const [what, history] of faultless) {
    it(`lets ${what} pass`, () => {
      assert.deepStrictEqual(judge(history), [])
    })
  }
})
