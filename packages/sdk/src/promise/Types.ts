/** The types of promise clients. */
import type { CallOptions } from "../call/Settings.ts"
import type { WebhookMessage } from "../wire/Integration.ts"
import type { ClientTypes } from "../requests/Client.ts"
import type { Call } from "./Answer.ts"
import type { List } from "./List.ts"
import type { WaitLimits } from "./Options.ts"

export interface Promises extends ClientTypes {
  readonly call: Call<this["A"]>
  readonly list: List<this["A"]>
  readonly wait: Promise<this["A"]>
  readonly follow: AsyncIterable<this["A"]>
  readonly file: Call<Response>
  readonly messages: AsyncGenerator<WebhookMessage, void>
  readonly options: CallOptions
  readonly waitOptions: WaitLimits
}
