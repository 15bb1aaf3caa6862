/** What goes wrong in a simulation, and how often. */

export type FaultRates = {
  /** Of a call of a store: it fails before it has done anything. */
  readonly callLost: number
  /** Of a call of a store: it is done, and its answer does not arrive. */
  readonly answerLost: number
  /** Of a call of a store: its process crashes before it, or right after. */
  readonly crash: number
  /** Of a call of a store: its process stands still, for up to `freezeMax`. */
  readonly freeze: number
  /** Of a signal between two processes: it is lost. */
  readonly signalLost: number
  /** Of a request or an answer between a client and a process: it is lost. */
  readonly messageLost: number
  /** Of a callback: the receiver refuses it, is slow, hangs, or its answer is lost. */
  readonly receiver: number
  /** Of an attempt: its runner crashes or stands still meanwhile. */
  readonly runner: number
  /** Of a minute: the clocks jump forward. */
  readonly jump: number
}

export const noFaults: FaultRates = {
  callLost: 0,
  answerLost: 0,
  crash: 0,
  freeze: 0,
  signalLost: 0,
  messageLost: 0,
  receiver: 0,
  runner: 0,
  jump: 0
}

export const usualFaults: FaultRates = {
  callLost: 0.01,
  answerLost: 0.01,
  crash: 0.001,
  freeze: 0.001,
  signalLost: 0.1,
  messageLost: 0.02,
  receiver: 0.3,
  runner: 0.2,
  jump: 0.1
}

/** Longest that anything stands still: longer than any lease. */
export const freezeMax = 90_000
