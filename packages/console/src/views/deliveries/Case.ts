/** Input and output of the diagnosis rules. */
import type { DeliveryAttempt, DeliveryDetail } from "@runhook/sdk/admin"
import type { Tone } from "../../parts/Looks.ts"
import { pathOf } from "../../shell/Paths.ts"
import type { Sentence } from "./Sentence.ts"

/** A callback that was delivered. */
export interface Success {
  readonly id: string
  readonly at: string
  readonly url: string
}

/** Facts beyond the delivery itself. */
export interface Evidence {
  /** The latest success of the same key. */
  readonly ofKey: Success | null
  /** The latest success of the same key and event type. */
  readonly ofType: Success | null
  /** When the signing secret of the key was last replaced, and by whom. */
  readonly secretChange: { readonly at: string; readonly by: string | null } | null
}

export const noEvidence: Evidence = { ofKey: null, ofType: null, secretChange: null }

export interface Diagnosis {
  readonly tone: Tone
  readonly title: Sentence
  readonly text: Sentence
  readonly steps: ReadonlyArray<Sentence>
  /** Whether the next step is to check a signature. */
  readonly checksSignature?: true
}

/** What the rules work on. */
export interface Case {
  readonly delivery: DeliveryDetail
  readonly evidence: Evidence
  /** The latest attempt; undefined before the first. */
  readonly last: DeliveryAttempt | undefined
  readonly host: string
  readonly origin: string
}

/** A link to a delivery. */
export const linkTo = (id: string, words: string) => ({ words, href: pathOf`/deliveries/${id}` })
