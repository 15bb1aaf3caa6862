/** How receivers answer in tests of the dispatcher. */
import type { Answer } from "@runhook/test-support/receivers/Receiver"

/** Answers each request with the next of these statuses, and 200 after that. */
export const answeringInTurn = (...statuses: ReadonlyArray<number>): Answer => {
  const left = [...statuses]
  return (response) => response.writeHead(left.shift() ?? 200).end()
}

/** Answers requests once the test says so, each as it says. */
export const answeringLater = () => {
  const held: Array<(status: number) => void> = []
  const answer: Answer = (response) => held.push((status) => response.writeHead(status).end())
  return { answer, release: (status = 200) => held.splice(0).forEach((go) => go(status)) }
}

/** Takes requests and never answers. */
export const hanging: Answer = () => undefined
