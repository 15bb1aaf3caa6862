/** Passages of deliveries that tests make up. */
import { AccountId } from "@runhook/core/domain/Ids"
import type { Passage } from "../../src/receivers/Passage.ts"

export const accountId = AccountId.make("0190a8f0-0000-7000-8000-000000000000")
export const anotherAccountId = AccountId.make("0190a8f0-0000-7000-8000-000000000001")

/** The receiver of that number. */
export const receiver = (number: number) => ({ accountId, origin: `http://127.0.0.1:${1_000 + number}` })

/** A first attempt, of a test that no execution caused. */
export const aPassage = (given: Partial<Passage> = {}): Passage => ({
  receiver: receiver(0),
  isRetry: false,
  isHandedOver: false,
  ...given
})

/** Passages to a receiver each. */
export const passages = (count: number, given: Partial<Passage> = {}): ReadonlyArray<Passage> =>
  Array.from({ length: count }, (_, number) => aPassage({ receiver: receiver(number), ...given }))

/** What a claim gives out, as far as traffic is concerned. */
export const flights = (given: ReadonlyArray<Passage>) => given.map((passage) => ({ passage }))
