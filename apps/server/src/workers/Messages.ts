/** What workers and their parent say to each other, beside signals. */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

/** How often a worker says that its event loop goes round. */
export const beatEvery = Duration.seconds(1)

/** Where callers reach the service. */
export const Address = Schema.Struct({
  url: Schema.String,
  host: Schema.String,
  port: Schema.optionalKey(Schema.Int)
})
export type Address = typeof Address.Type

/** What a worker tells its parent. */
export const Told = Schema.Union([
  /** It answers requests from now on. */
  Schema.TaggedStruct("Serving", { address: Address }),
  /** It is alive, and these are its metrics. */
  Schema.TaggedStruct("Beat", { metrics: Schema.String }),
  /** A caller asks it for the metrics of all workers. */
  Schema.TaggedStruct("MetricsAsked", { id: Schema.Int, metrics: Schema.String })
])
export type Told = typeof Told.Type

/** What a parent tells a worker. */
export const Order = Schema.Union([
  /** Another has taken its place: it ends as at a stop, but the service stays. */
  Schema.TaggedStruct("Retire", {}),
  Schema.TaggedStruct("MergedMetrics", { id: Schema.Int, metrics: Schema.String })
])
export type Order = typeof Order.Type
