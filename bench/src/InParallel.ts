/** Processes all items with so many workers, each on one item at a time. */
export const inParallel = async <A>(
  workers: number,
  items: Iterable<A>,
  work: (item: A) => Promise<unknown>
): Promise<void> => {
  const rest = items[Symbol.iterator]()
  const take = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: workers }, take))
}
