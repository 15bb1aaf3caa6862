/** Runs work bucket by bucket, each in its own statements. */
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"

/** Buckets in progress at once. */
export const bucketsAtOnce = 4

/** The items of each bucket, by rising bucket. */
export const byBucket = <Item extends { readonly bucket: number }>(items: ReadonlyArray<Item>) =>
  Object.values(Array.groupBy(items, ({ bucket }) => `${bucket}`))

/** Does something with the items of each bucket. */
export const forEachBucket = <Item extends { readonly bucket: number }, A, E, R>(
  items: ReadonlyArray<Item>,
  work: (bucket: number, ofBucket: Array.NonEmptyReadonlyArray<Item>) => Effect.Effect<A, E, R>
) =>
  Effect.forEach(byBucket(items), (ofBucket) => work(ofBucket[0].bucket, ofBucket), {
    concurrency: bucketsAtOnce
  })
