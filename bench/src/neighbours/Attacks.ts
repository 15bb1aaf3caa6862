/** What the other account asks for: each is the most expensive thing of its kind that its keys let it ask. */
import { costlyParams } from "./CostlyParams.ts"
import { heavyLists } from "./HeavyLists.ts"
import { listBursts } from "./ListBursts.ts"
import { memberKeys, mintedSessions } from "./Members.ts"
import { ordinaryReads } from "./OrdinaryReads.ts"
import { parkedPolls } from "./ParkedPolls.ts"
import { questions, questionsWithoutLease } from "./Questions.ts"
import { slowSockets } from "./SlowSockets.ts"
import { unknownKeys } from "./UnknownKeys.ts"

export const attacks = {
  "ordinary reads": ordinaryReads,
  "questions without a lease": questionsWithoutLease,
  "questions with a lease": questions,
  "params of a costly schema": costlyParams,
  "the heaviest lists": heavyLists,
  "parked polls": parkedPolls,
  "unknown keys": unknownKeys,
  "slow sockets": slowSockets,
  "a member's keys": memberKeys,
  "a member's sessions": mintedSessions,
  "bursts of lists": listBursts
}

export type AttackName = keyof typeof attacks
