/** A value that belongs to no component: those that follow it are rendered again when it changes. */
import { useLayoutEffect, useState } from "preact/hooks"

export class Followed<A> {
  #value: A
  readonly #followers = new Set<() => void>()

  constructor(value: A) {
    this.#value = value
  }

  get value(): A {
    return this.#value
  }

  set value(next: A) {
    if (next === this.#value) return
    this.#value = next
    for (const tell of this.#followers) tell()
  }

  /** Calls `tell` after each change, until the result is called. */
  follow(tell: () => void): () => void {
    this.#followers.add(tell)
    return () => {
      this.#followers.delete(tell)
    }
  }
}

/** Follows it for as long as the component is there. */
export const useFollowed = <A>(of: Followed<A>): A => {
  const [, setSeen] = useState(of.value)
  useLayoutEffect(() => {
    const see = () => setSeen(() => of.value)
    // It may have changed since it was rendered.
    see()
    return of.follow(see)
  }, [of])
  return of.value
}
