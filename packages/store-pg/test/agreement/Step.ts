/** A random step of a sequence: a verb of a port, with small numbers that choose its arguments. */
import * as Schema from "effect/Schema"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** How often each is drawn. Most steps create, claim or move the few executions that there are, so that they collide. */
const weights = {
  create: 8,
  claim: 6,
  start: 6,
  finish: 6,
  giveBack: 2,
  ask: 3,
  answer: 3,
  beat: 2,
  keepCheckpoint: 1,
  stop: 2,
  release: 1,
  reschedule: 2,
  remove: 1,
  closeSession: 1,
  openSession: 1,
  drainSession: 1,
  giveSeats: 4,
  expireLeases: 2,
  timeOutRuns: 2,
  expireInputs: 2,
  expireExecutions: 2,
  pruneKeys: 1,
  claimDeliveries: 5,
  settle: 5,
  giveBackDeliveries: 1,
  takeBackDeliveries: 1,
  tryNow: 1,
  replay: 1,
  addEndpoint: 2,
  changeEndpoint: 1,
  fanOut: 5
} as const

export type Verb = keyof typeof weights

const verbs = (Object.keys(weights) as Array<Verb>).flatMap((verb) =>
  Array.from({ length: weights[verb] }, () => verb)
)

export const Step = Schema.Struct({
  verb: Schema.Literals(verbs),
  /** Seconds that pass before it. */
  wait: Schema.Literals([0, 0, 0, 0, 1, 1, 5, 30, 61]),
  /** Which of what there is: 0 is the latest. */
  which: upTo(5),
  /** How, by bits. */
  how: upTo(63)
})
export type Step = typeof Step.Type
