/** Work on many buckets, each by statements of its own. */
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"

/** Buckets that are worked on at the same time: nobody is answered before the last one. */
const bucketsAtOnce = 4

/** Does something with the items of each bucket. */
export const forEachBucket = <Item extends { readonly bucket: number }, A, E, R>(
  items: ReadonlyArray<Item>,
  work: (bucket: number, ofBucket: Array.NonEmptyReadonlyArray<Item>) => Effect.Effect<A, E, R>
) =>
  Effect.forEach(
    Object.values(Array.groupBy(items, ({ bucket }) => bucket.toString())),
    (ofBucket) => work(ofBucket[0].bucket, ofBucket),
    { concurrency: bucketsAtOnce }
  )
