/**
 * The receivers of this process, and what it has leased for them. That decides what else may be claimed or handed
 * over, so that no receiver takes all of the room.
 */
import type { Receiver as ReceiverName } from "@runhook/core/deliveries/claim/Receiver"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { ClaimRoom } from "@runhook/core/deliveries/claim/ClaimRoom"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { concurrencyMax, concurrencyStart } from "./AdaptiveConcurrency.ts"
import { type Account, type InFlight, type Permit, Receiver } from "./Receiver.ts"

/** Receivers that are cached. Each claim names those that do not have the usual room. */
export const rememberedMax = 1_000

/** A part of what there is, and at least one. */
export const quota = (of: number, parts: number): number => Math.max(1, Math.floor(of / parts))

export class Receivers {
  readonly #places: number
  readonly #heldMax: number
  /** The most that one account may hold, and the most that came past the queue: the rest is for others. */
  readonly #accountMax: number
  readonly #handedOverMax: number
  /** The places for retries: earlier failures must not hold up new deliveries. */
  readonly #retriesMax: number
  readonly #accounts = new Map<AccountId, Account>()
  /** The least recently used first. */
  readonly #receivers = new Set<Receiver>()
  readonly #moreRoom = Latch.makeUnsafe()
  #held = 0
  #retries = 0
  #handedOver = 0
  /** Since the latest claim began, and until it ends. */
  #answered: Array<Permit> | null = null
  /** Whether something was handed over since the latest claim began. */
  #isShared = false
  /** Whether the latest claim took all the room there was, or all of retries: more may be due. */
  #isSaturated = false
  #isSaturatedByRetries = false

  constructor(options: {
    /** Deliveries sent at once, and claimed at once. */
    readonly places: number
    /** Deliveries at once that wait or are sent, or whose results wait to be stored. */
    readonly heldMax: number
  }) {
    this.#places = options.places
    this.#heldMax = options.heldMax
    this.#accountMax = quota(options.heldMax, 4)
    this.#handedOverMax = quota(options.heldMax, 2)
    this.#retriesMax = quota(options.places, 2)
  }

  /** The one object of a receiver, for as long as it is remembered. */
  at({ accountId, origin }: ReceiverName): Receiver {
    const account = this.#accounts.get(accountId) ?? this.#anAccount(accountId)
    const receiver = account.receivers.get(origin) ?? new Receiver(account, origin)
    account.receivers.set(origin, receiver)
    this.#receivers.delete(receiver)
    this.#receivers.add(receiver)
    if (this.#receivers.size > rememberedMax) this.#forgetOne()
    return receiver
  }

  /**
   * Begins a claim: what may be claimed now. While many receivers are busy, none has
   * more than twice its share: the store looks at as many of each as it has room for.
   */
  beginClaim(): ClaimRoom {
    this.#moreRoom.closeUnsafe()
    this.#answered = []
    this.#isShared = false
    const accounts = [...this.#accounts.values()]
    const receivers = [...this.#receivers]
    const busy = receivers.filter(({ unanswered }) => unanswered > 0).length
    const share = Math.max(concurrencyMax, Math.ceil((2 * this.#places) / Math.max(1, busy)))
    for (const each of accounts) each.room = Math.max(0, this.#accountMax - each.units)
    for (const each of receivers) each.room = each.isSaturated && !each.isLow ? 0 : Math.min(share, each.free)
    return {
      total: Math.max(0, Math.min(this.#room, this.#places)),
      retries: this.#retriesMax - this.#retries,
      account: this.#accountMax,
      accounts: new Map(accounts.flatMap(({ id, room }) => (room < this.#accountMax ? [[id, room]] : []))),
      receiver: concurrencyStart,
      receivers: receivers.flatMap(({ name, room }) => (room === concurrencyStart ? [] : [{ ...name, room }]))
    }
  }

  /**
   * Ends a claim that had this room. Answers those of the claimed that have a place: all, unless some were handed
   * over meanwhile and left none.
   */
  endClaim(room: ClaimRoom, claimed: ReadonlyArray<InFlight>): ReadonlySet<InFlight> {
    const answered = this.#answered ?? []
    this.#answered = null
    const placed = new Set<InFlight>()
    for (const each of claimed) {
      each.receiver.room -= 1
      each.receiver.account.room -= 1
      if (this.#isShared && !this.#hasPlaceFor(each.receiver)) continue
      this.#enter(each)
      placed.add(each)
    }
    this.#isSaturated = claimed.length >= room.total
    this.#isSaturatedByRetries = claimed.filter(({ isRetry }) => isRetry).length >= room.retries
    for (const each of [...this.#receivers, ...this.#accounts.values()]) each.isSaturated = each.room <= 0
    const isMoreRoom = answered.some((permit) => this.#isRelievedBy(permit)) || this.#isRelieved
    if (isMoreRoom || placed.size < claimed.length) this.lookAgain()
    return placed
  }

  /** Keeps a place for a new delivery, if there is one, and an older one is not passed by. */
  reservePlace(receiver: Receiver): Permit | null {
    const isBehind = this.#isSaturated || receiver.isSaturated || receiver.account.isSaturated
    if (isBehind || this.#handedOver >= this.#handedOverMax || !this.#hasPlaceFor(receiver)) return null
    const place = {
      receiver,
      isRetry: false,
      isHandedOver: true,
      units: 1,
      isAnswered: false,
      hasLeft: false
    }
    this.#enter(place)
    this.#isShared = true
    return place
  }

  /** The delivery has come that a place was kept for, and its length is known. */
  takePlace(place: Permit, inFlight: InFlight): void {
    this.#enter(inFlight)
    this.leave(place)
  }

  /** Whether so many are held that results should be stored soon. */
  get isShort(): boolean {
    return !isEnough(this.#room, this.#heldMax)
  }

  /**
   * Waits until there may be something to claim that the last claim could not
   * take, because there was no room for it or because it was not due.
   */
  get moreToClaim(): Effect.Effect<void> {
    return this.#moreRoom.await
  }

  /** Waits until there is room for several. */
  get someRoom(): Effect.Effect<void> {
    const wait = Effect.suspend(() => {
      this.#moreRoom.closeUnsafe()
      return this.moreToClaim
    })
    return Effect.whileLoop({ while: () => this.isShort, body: () => wait, step: () => undefined })
  }

  /** There may be more to claim than the last claim knew of. */
  lookAgain(): void {
    this.#moreRoom.openUnsafe()
  }

  /** The receiver has answered: the result waits to be stored. */
  answered(permit: Permit): void {
    if (permit.isAnswered) return
    permit.isAnswered = true
    this.#count(permit, -1)
    this.#answered?.push(permit)
    if (this.#isRelievedBy(permit)) this.lookAgain()
  }

  /** The delivery has left this process: its result is stored, or lost, or it was given back. */
  leave(permit: Permit): void {
    if (permit.hasLeft) return
    this.answered(permit)
    permit.hasLeft = true
    const wasShort = this.isShort
    permit.receiver.held -= 1
    this.#held -= permit.units
    if (this.#isRelieved || (wasShort && !this.isShort)) this.lookAgain()
  }

  #enter(permit: Permit): void {
    permit.receiver.held += 1
    this.#held += permit.units
    this.#count(permit, 1)
  }

  #count({ isHandedOver, isRetry, receiver, units }: Permit, by: 1 | -1): void {
    receiver.unanswered += by
    receiver.account.units += by * units
    if (isRetry) this.#retries += by
    if (isHandedOver) this.#handedOver += by
  }

  get #room(): number {
    return this.#heldMax - this.#held
  }

  #hasPlaceFor({ account, free }: Receiver): boolean {
    return this.#room > 0 && account.units < this.#accountMax && free > 0
  }

  /** Whether more may be claimed, now that this one has made room, and enough for a claim to bring several. */
  #isRelievedBy({ isRetry, receiver }: Permit): boolean {
    const { account } = receiver
    return (
      (receiver.isSaturated && receiver.isLow) ||
      (account.isSaturated && isEnough(this.#accountMax - account.units, this.#accountMax)) ||
      (isRetry && this.#isSaturatedByRetries && isEnough(this.#retriesMax - this.#retries, this.#retriesMax))
    )
  }

  get #isRelieved(): boolean {
    return this.#isSaturated && !this.isShort
  }

  #anAccount(id: AccountId): Account {
    const room = this.#accountMax
    const account = { id, receivers: new Map(), units: 0, sending: 0, room, isSaturated: false }
    this.#accounts.set(id, account)
    return account
  }

  #forgetOne(): void {
    for (const receiver of this.#receivers) {
      if (!receiver.isIdle) continue
      const { account, name } = receiver
      this.#receivers.delete(receiver)
      account.receivers.delete(name.origin)
      if (account.receivers.size === 0) this.#accounts.delete(account.id)
      return
    }
  }
}

/** An eighth of what there is: less is not worth a claim. */
const isEnough = (room: number, of: number): boolean => room >= quota(of, 8)
